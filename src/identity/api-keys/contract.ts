import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { Instant, Timestamp } from '#lib/time.ts'
import { words } from '#lib/words.ts'
import { optionalField } from '../contract/fields.ts'

export const KeyMode = z.enum(['live', 'test'])
export type KeyMode = z.infer<typeof KeyMode>

export const UsedPermission = words(200)
  .optional()
  .describe('What it is used for, as `<serviceId>.<resource>:<action>`: a key keeps when each scope was used last.')

/** A resource that a key is bound to. */
export const Binding = z.object({
  kind: z.string().regex(/^[a-z_]{1,40}$/, 'Must be a kind of resource, such as brand.'),
  id: Id,
})

const day = 24 * 60 * 60 * 1000

const days = z.coerce
  .number('Must be a number of days.')
  .int()
  .min(1, 'At least 1 day.')
  .max(3650, 'At most 3650 days.')

/** When a key ends by itself: at a time, or after days; never when neither is said. */
const expiry = { expiresAt: optionalField(Instant), expiresInDays: optionalField(days) }

const hasOneExpiry = (input: { expiresAt?: Date; expiresInDays?: number }): boolean =>
  input.expiresAt === undefined || input.expiresInDays === undefined

const oneExpiryError = { path: ['expiresInDays'], message: 'Send expiresAt or expiresInDays, not both.' }

/** A choice of bindings: `[{ "kind": "brand", "id": "…" }]`; a form's choice of none has an empty id. */
const Bindings = z.preprocess(
  (value) => (Array.isArray(value) ? value.filter((item: unknown) => !isEmptyChoice(item)) : value),
  z.array(Binding).max(50, 'At most 50 bindings.').default([]),
)

const isEmptyChoice = (item: unknown): boolean =>
  typeof item === 'object' && item !== null && 'id' in item && item.id === ''

/** An API key that stops working when a member leaves. */
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
    name: words(100).trim().min(1, 'Give the key a name.'),
    service: words(100),
    scopes: z.array(words(100), 'Choose at least one scope.').min(1, 'Choose at least one scope.').max(50),
    bindings: Bindings,
    agentId: optionalField(Id).describe('The agent that works by the key; its maker when not said.'),
    mode: KeyMode.default('live').describe(
      'A test key reads and changes posts and accounts of the sandbox network and test keys alone, beside brands and media.',
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
      .min(0, 'At least 0 hours.')
      .max(maxOverlapHours, `At most ${maxOverlapHours} hours: 7 days.`)
      .default(0)
      .describe('Hours for which the old key works on, never past its own end.'),
    scopes: z
      .array(words(100))
      .min(1, 'Keep at least one scope, or revoke the key.')
      .max(50)
      .optional()
      .describe('Those of its scopes that the new key keeps; all when not said.'),
    ...expiry,
  })
  .refine(hasOneExpiry, oneExpiryError)
export type Rotation = z.output<typeof Rotation>

/** The end that was wished for; null for none. */
export const requestedExpiry = (input: Pick<ApiKeyDraft, 'expiresAt' | 'expiresInDays'>, now: Date): Date | null =>
  input.expiresInDays ? new Date(now.getTime() + input.expiresInDays * day) : (input.expiresAt ?? null)

const ScopeUse = z.object({
  scope: z.string(),
  lastUsedAt: Timestamp.nullable(),
  watchedSince: Timestamp.describe('Since when its use would have been noted.'),
})

export const ApiKey = z.object({
  id: Id,
  name: z.string(),
  service: z.string().describe('The slug of the service that it opens.'),
  mode: KeyMode,
  scopes: z.array(z.string()),
  permissions: z.array(z.string()).describe('What the scopes permit in the service.'),
  bindings: z.array(Binding).describe('All that it reaches; empty: everything of the organization.'),
  lastFour: z.string(),
  createdBy: Id.describe('Who answers for it: without an agent it can do no more than they can.'),
  agentId: Id.nullable().describe('The agent that works by it, and does no more than that may.'),
  createdAt: Timestamp,
  expiresAt: Timestamp.nullable(),
  rotatedFrom: Id.nullable().describe('The key that this one takes the place of.'),
  overlapEndsAt: Timestamp.nullable().describe('When it ends since another key has taken its place.'),
  revokedAt: Timestamp.nullable(),
  lastUsedAt: Timestamp.nullable(),
  scopeUse: z.array(ScopeUse).describe('When each scope was used last.'),
})
export type ApiKey = z.output<typeof ApiKey>
/** The same before it leaves. */
export type ApiKeyRow = z.input<typeof ApiKey>

const LeastPrivilege = z.object({
  removable: z.array(z.string()).describe('Scopes that were not used for so many days.'),
  unusedForDays: z.int(),
  act: z
    .enum(['rotate', 'revoke'])
    .describe('What to do: rotate the key without them, or revoke it when it uses none.'),
})
export type LeastPrivilege = z.output<typeof LeastPrivilege>

/** A key with what it could do without (IDN-30). */
export const WatchedApiKey = ApiKey.extend({ suggestion: LeastPrivilege.nullable() })
export type WatchedApiKey = z.output<typeof WatchedApiKey>

/** A key with its text, which is shown this once: an answer that is replayed omits it. */
export const NewApiKey = ApiKey.extend({ key: z.string().optional() })
export type NewApiKey = z.output<typeof NewApiKey>
export type NewApiKeyRow = z.input<typeof NewApiKey>

/** A key as another service was shown it. */
export const PresentedKey = z.object({
  key: z.string().max(200).optional().describe('The key; the request’s own bearer when not said.'),
  permission: UsedPermission,
})
