import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { listOf } from '#lib/paginate.ts'
import { Timestamp } from '#lib/time.ts'

export const CredentialLevel = z.enum(['organization', 'platform'])
export type CredentialLevel = z.output<typeof CredentialLevel>

export const CredentialMode = z.enum(['live', 'test'])
export type CredentialMode = z.output<typeof CredentialMode>

export const CredentialHealth = z.enum(['unknown', 'healthy', 'unhealthy'])
export type CredentialHealth = z.output<typeof CredentialHealth>

export const CredentialFamily = z.enum(['ai', 'email', 'payments', 'video', 'social'])
export type CredentialFamily = z.output<typeof CredentialFamily>

export const CredentialKind = z.enum(['api_key', 'smtp', 'oauth_client'])
export type CredentialKind = z.output<typeof CredentialKind>

export const ProviderName = z
  .string()
  .regex(
    /^[a-z][a-z0-9_-]{0,39}$/,
    'Must be a name of lowercase letters, digits, hyphens and underscores, such as openai.',
  )

export const CredentialRotation = z.object({
  label: z.string(),
  lastFour: z.string(),
  health: CredentialHealth,
  lastError: z.string().nullable(),
  checkedAt: Timestamp.nullable(),
  startedAt: Timestamp,
  calls: z.int().describe('Successful calls with the new key.'),
  neededCalls: z.int().describe('After so many, the new key replaces the old one.'),
  endsAt: Timestamp.describe('When the new key replaces the old one at the latest.'),
})
export type CredentialRotation = z.output<typeof CredentialRotation>

export const Credential = z.object({
  id: Id,
  provider: ProviderName,
  level: CredentialLevel,
  mode: CredentialMode.describe('Test keys only use credentials marked test.'),
  family: CredentialFamily.describe('What its provider is called for.'),
  kind: CredentialKind,
  label: z.string(),
  lastFour: z.string().describe('Of the API key, the SMTP username or the OAuth client ID.'),
  isCheckable: z.boolean().describe('Whether its provider can be asked if it works.'),
  baseUrl: z.string().nullable().describe('Null for the platform’s, except for super admins.'),
  status: z.enum(['active', 'rotating']),
  health: CredentialHealth,
  lastError: z.string().nullable(),
  checkedAt: Timestamp.nullable(),
  createdAt: Timestamp,
  rotatedAt: Timestamp.nullable(),
  rotation: CredentialRotation.nullable().describe('The new key, while both are valid.'),
  can: z.object({ update: z.boolean() }),
})
export type Credential = z.output<typeof Credential>
/** With dates, before it is sent. */
export type StoredCredential = z.input<typeof Credential>

export const CredentialList = listOf(Credential).extend({
  can: z
    .object({ update: z.boolean(), updatePlatform: z.boolean() })
    .describe('For which levels credentials can be set.'),
})
export type CredentialList = z.output<typeof CredentialList>

export const CredentialCheck = z.object({
  healthy: z.boolean(),
  checkedAt: Timestamp,
  error: z.string().nullable(),
})
export type CredentialCheck = z.output<typeof CredentialCheck>
/** With dates, before it is sent. */
export type StoredCredentialCheck = z.input<typeof CredentialCheck>

export const CredentialChecks = z.object({ checked: z.int(), failing: z.int() })
