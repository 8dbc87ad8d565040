import { z } from 'zod'
import { optionalField, withoutEmpty, plainText } from '#lib/text.ts'
import { Id } from '#lib/ids.ts'
import { Instant, Timestamp } from '#lib/time.ts'

export const KeyMode = z.enum(['live', 'test'])
export type KeyMode = z.infer<typeof KeyMode>

export const KeyFilter = z.object({
  q: optionalField(plainText(100)).describe('A part of the name, or the last four characters.'),
  mode: optionalField(KeyMode),
})
export type KeyFilter = z.output<typeof KeyFilter>

export const UsedPermission = plainText(200)
  .optional()
  .describe(
    'The permission being used, as `<serviceId>.<resource>:<action>`. Updates when the key’s scope was last used.',
  )

export const Binding = z.object({
  kind: z.string().regex(/^[a-z_]{1,40}$/, 'Must be a resource kind, such as brand.'),
  id: Id,
})

const day = 24 * 60 * 60 * 1000

const days = z.coerce
  .number('Must be a number of days.')
  .int()
  .min(1, 'Must be at least 1 day.')
  .max(3650, 'Must be at most 3,650 days.')

/** A key expires at a time or after a number of days; never without either. */
const expiry = { expiresAt: optionalField(Instant), expiresInDays: optionalField(days) }

const hasOneExpiry = (input: { expiresAt?: Date; expiresInDays?: number }): boolean =>
  input.expiresAt === undefined || input.expiresInDays === undefined

const oneExpiryError = { path: ['expiresInDays'], message: 'Send expiresAt or expiresInDays, not both.' }

/** `[{ "kind": "brand", "id": "…" }]` */
const Bindings = withoutEmpty(z.array(Binding).max(50, 'Must have at most 50 bindings.').default([]), 'id')

export const MemberKey = z.object({
  id: Id,
  name: z.string(),
  service: z.string(),
  mode: KeyMode,
  lastFour: z.string(),
  lastUsedAt: Timestamp.nullable(),
})
export type MemberKey = z.output<typeof MemberKey>

export const ApiKeyDraft = z
  .object({
    name: plainText(100).trim().min(1, 'Enter a name.'),
    service: plainText(100),
    scopes: z.array(plainText(100), 'Choose at least one scope.').min(1, 'Choose at least one scope.').max(50),
    bindings: Bindings,
    agentId: optionalField(Id).describe('The agent that the key acts as. Defaults to the person who creates the key.'),
    mode: KeyMode.default('live').describe(
      'A test key only has access to test keys, brands, media, and the posts and accounts of the sandbox network.',
    ),
    ...expiry,
  })
  .refine(hasOneExpiry, oneExpiryError)
export type ApiKeyDraft = z.output<typeof ApiKeyDraft>

const maxOverlapHours = 7 * 24

export const Rotation = z
  .object({
    id: Id,
    overlapHours: z.coerce
      .number('Must be a number of hours.')
      .min(0, 'Must be at least 0 hours.')
      .max(maxOverlapHours, `Must be at most ${maxOverlapHours} hours (7 days).`)
      .default(0)
      .describe('Hours until the old key expires, unless it expires earlier.'),
    scopes: z
      .array(plainText(100))
      .min(1, 'Choose at least one scope, or revoke the key.')
      .max(50)
      .optional()
      .describe('The scopes that the new key keeps. Defaults to all.'),
    ...expiry,
  })
  .refine(hasOneExpiry, oneExpiryError)
export type Rotation = z.output<typeof Rotation>

/** Null for no expiry. */
export const requestedExpiry = (input: Pick<ApiKeyDraft, 'expiresAt' | 'expiresInDays'>, now: Date): Date | null =>
  input.expiresInDays ? new Date(now.getTime() + input.expiresInDays * day) : (input.expiresAt ?? null)

const ScopeUse = z.object({
  scope: z.string(),
  lastUsedAt: Timestamp.nullable(),
  watchedSince: Timestamp.describe('When tracking of the scope’s use began.'),
})

export const ApiKey = z.object({
  id: Id,
  name: z.string(),
  service: z.string().describe('The slug of the service that the key gives access to.'),
  mode: KeyMode,
  scopes: z.array(z.string()),
  permissions: z.array(z.string()).describe('The permissions of the scopes.'),
  bindings: z
    .array(Binding)
    .describe('The resources that the key is limited to. Empty if it has access to the whole organization.'),
  lastFour: z.string(),
  createdBy: Id.describe('The owner. A key without an agent can’t do more than its owner.'),
  agentId: Id.nullable().describe('The agent that the key acts as; the key can’t do more than the agent.'),
  createdAt: Timestamp,
  expiresAt: Timestamp.nullable(),
  rotatedFrom: Id.nullable().describe('The key that this one replaced.'),
  overlapEndsAt: Timestamp.nullable().describe('When the key expires after its rotation.'),
  revokedAt: Timestamp.nullable(),
  lastUsedAt: Timestamp.nullable(),
  scopeUse: z.array(ScopeUse).describe('The last use of each scope.'),
})
export type ApiKey = z.output<typeof ApiKey>
export type ApiKeyRow = z.input<typeof ApiKey>

const LeastPrivilege = z.object({
  removable: z.array(z.string()).describe('Scopes that haven’t been used for `unusedForDays` days.'),
  unusedForDays: z.int(),
  act: z
    .enum(['rotate', 'revoke'])
    .describe('`rotate` the key without these scopes, or `revoke` it when none of its scopes is used.'),
})
export type LeastPrivilege = z.output<typeof LeastPrivilege>

const KeyStatus = z
  .enum(['active', 'expiring', 'replaced', 'disabled', 'expired', 'revoked'])
  .describe('`expiring`: within 7 days. `replaced`: by a rotation. `disabled`: its owner has left the organization.')
export type KeyStatus = z.output<typeof KeyStatus>

export const ApiKeyDetail = ApiKey.extend({
  serviceName: z.string(),
  createdByName: z.string().nullable(),
  agentName: z.string().nullable(),
  bindings: z
    .array(Binding.extend({ name: z.string().nullable().describe('Null for a deleted resource.') }))
    .describe(ApiKey.shape.bindings.description ?? ''),
  scopeUse: z.array(ScopeUse.extend({ description: z.string() })),
  status: KeyStatus,
  suggestion: LeastPrivilege.nullable(),
  can: z.object({ rotate: z.boolean(), revoke: z.boolean() }).describe('The actions that you can perform on the key.'),
})
export type ApiKeyDetail = z.output<typeof ApiKeyDetail>
export type ApiKeyDetailRow = z.input<typeof ApiKeyDetail>

export const ApiKeyOptions = z.object({
  services: z
    .array(z.object({ slug: z.string(), name: z.string() }))
    .describe('The services whose keys you can create.'),
  service: z.string().describe('The slug of the service that `scopes` and `resources` belong to.'),
  scopes: z
    .array(z.object({ scope: z.string(), description: z.string(), actions: z.array(z.string()) }))
    .describe('The scopes that you have yourself.'),
  resources: z
    .array(Binding.extend({ name: z.string() }))
    .describe('The resources that a key can be bound to: the first 500 by name.'),
  agents: z
    .array(z.object({ id: Id, name: z.string() }))
    .nullable()
    .describe('The first 100 agents that a key can act as; null when you use an API key.'),
})
export type ApiKeyOptions = z.output<typeof ApiKeyOptions>

/** The secret is returned only once: a replayed response omits it. */
export const NewApiKey = ApiKey.extend({ key: z.string().optional() })
export type NewApiKey = z.output<typeof NewApiKey>
export type NewApiKeyRow = z.input<typeof NewApiKey>

export const ApiKeyCredential = z.object({
  key: z.string().max(200).optional().describe('The key. Defaults to the bearer token of the request.'),
  permission: UsedPermission,
})
