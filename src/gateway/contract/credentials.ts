import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { Timestamp } from '#lib/time.ts'

export const CredentialLevel = z.enum(['organization', 'platform'])
export type CredentialLevel = z.output<typeof CredentialLevel>

export const CredentialMode = z.enum(['live', 'test'])
export type CredentialMode = z.output<typeof CredentialMode>

export const CredentialHealth = z.enum(['unknown', 'healthy', 'unhealthy'])
export type CredentialHealth = z.output<typeof CredentialHealth>

export const ProviderName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,39}$/, 'Must be a name of lowercase letters, digits and hyphens, such as openai.')

export const Credential = z.object({
  id: Id,
  provider: ProviderName,
  level: CredentialLevel,
  mode: CredentialMode.describe('Test keys only use credentials marked test.'),
  kind: z.literal('api_key'),
  label: z.string(),
  lastFour: z.string(),
  baseUrl: z.url(),
  status: z.literal('active'),
  health: CredentialHealth,
  lastError: z.string().nullable(),
  checkedAt: Timestamp.nullable(),
  createdAt: Timestamp,
  rotatedAt: Timestamp.nullable(),
})
export type Credential = z.input<typeof Credential>

export const CredentialCheck = z.object({
  healthy: z.boolean(),
  checkedAt: Timestamp,
  error: z.string().nullable(),
})
export type CredentialCheck = z.input<typeof CredentialCheck>
