import { z } from 'zod'
import { isLoopback } from '#lib/address.ts'
import { nullableField, optionalField, withoutEmpty, plainText } from '#lib/text.ts'
import { Id } from '#lib/ids.ts'
import { paging } from '#lib/paginate.ts'
import { Timestamp } from '#lib/time.ts'
import { AppAction } from './actions/contract.ts'
import { name, Slug } from '../contract/fields.ts'

export const DeveloperOrganization = z.object({
  id: Id,
  slug: z.string(),
  name: z.string(),
  developerWorkspace: z.boolean(),
  status: z.enum(['active', 'suspended', 'revoked']),
  reason: z
    .string()
    .nullable()
    .describe('Why the developer organization is suspended or revoked; null while it is active.'),
})
export type DeveloperOrganization = z.output<typeof DeveloperOrganization>
export type DeveloperOrganizationRow = z.input<typeof DeveloperOrganization>

/** For its admins. */
export const OwnDeveloperOrganization = DeveloperOrganization.extend({
  can: z.object({ enable: z.boolean().describe('Whether you can turn on developer access.') }),
})
export type OwnDeveloperOrganization = z.output<typeof OwnDeveloperOrganization>

export const AccessRevocation = z.object({
  id: Id,
  reason: plainText(500, 'Enter a reason.').trim().min(1, 'Enter a reason.'),
})
export type AccessRevocation = z.output<typeof AccessRevocation>

/** A JSON array, or the lines of a form's text area. */
const list = <Item extends z.ZodType>(item: Item, max: number, what: string) =>
  z.preprocess(
    (value) => (typeof value === 'string' ? value.split('\n').flatMap((line) => line.trim() || []) : value),
    z.array(item).max(max, `Must have at most ${max} ${what}.`),
  )

const isWebAddress = (text: string, local: boolean): boolean => {
  const url = URL.parse(text)
  if (!url || url.username || url.password || url.hash || text.includes('#')) return false
  return url.protocol === 'https:' || (local && url.protocol === 'http:' && isLoopback(url.hostname))
}

const address = plainText(2000).refine(
  (text) => isWebAddress(text, true),
  'Must be an https URL without a username, password or fragment (http is allowed for localhost).',
)

const Permission = z
  .string()
  .max(100)
  .regex(/^[a-z_]+:[a-z]+$/, 'Must be a permission such as orders:read.')

/** `{ "permission": "orders:read", "description": "View orders" }`, or a form's line `orders:read View orders`. */
const DeclaredPermission = z.preprocess(
  (value) => {
    if (typeof value !== 'string') return value
    const [, permission, description] = /^(\S+)\s*(.*)$/.exec(value) ?? []
    return { permission, description }
  },
  z.object({
    permission: Permission,
    description: plainText(200).trim().min(1, 'Add a description after each permission.'),
  }),
)

const isUnique = <Item>(items: Item[], key: (item: Item) => string): boolean =>
  new Set(items.map(key)).size === items.length

const Scope = plainText(160).regex(
  /^[a-z0-9-]+\/[a-z_]+\.[a-z]+$/,
  'Must be a scope such as platform-socialize/posts.read.',
)

const fields = {
  name: name('the app’s name'),
  description: plainText(1000, 'Enter a description of the app.').trim().min(1, 'Enter a description of the app.'),
  webUrl: address.describe('The URL that people open.'),
  redirectUris: list(address, 10, 'redirect URIs').describe('The allowed redirect URIs of sign-in, compared exactly.'),
  handoffUri: nullableField(address).describe(
    'The redirect URI to which the app switcher sends people with an `sso_code`. Without one, it sends them to `webUrl`, and the app signs them in itself.',
  ),
  permissions: list(DeclaredPermission, 50, 'permissions')
    .refine((items) => isUnique(items, ({ permission }) => permission), 'Must list each permission only once.')
    .describe('The permissions that the app declares. Each of its actions needs one of them.'),
  scopes: withoutEmpty(z.array(Scope).max(100)).describe(
    'The scopes that the app requests of other services, as `<service>/<scope>`. Its keys can’t have others.',
  ),
}

export const RequestableScope = z.object({
  value: z.string().describe('In the form `<service>/<scope>`.'),
  description: z.string(),
})
export type RequestableScope = z.output<typeof RequestableScope>

export const KeyService = z.object({
  slug: z.string(),
  name: z.string(),
  scopes: z.array(z.string()).describe('The scopes that the app requests.'),
})
export type KeyService = z.output<typeof KeyService>

export const DeveloperAppDraft = z.object({
  ...fields,
  slug: Slug.refine(
    (slug) => !slug.startsWith('platform-'),
    'Must not begin with platform-, which is reserved for the platform’s own services.',
  ).optional(),
  redirectUris: fields.redirectUris.default([]),
  handoffUri: fields.handoffUri.default(null),
  permissions: fields.permissions.default([]),
  scopes: fields.scopes.default([]),
})
export type DeveloperAppDraft = z.output<typeof DeveloperAppDraft>

export const DeveloperAppEdit = z
  .object({ id: Id, ...fields })
  .partial()
  .required({ id: true })
export type DeveloperAppEdit = z.output<typeof DeveloperAppEdit>

const AppStatus = z.enum(['draft', 'submitted', 'approved', 'rejected', 'published'])
export type AppStatus = z.output<typeof AppStatus>

export const DeveloperApp = z.object({
  id: Id,
  organizationId: Id,
  slug: z.string(),
  name: z.string(),
  description: z.string(),
  webUrl: z.string(),
  redirectUris: z.array(z.string()),
  handoffUri: z.string().nullable(),
  permissions: z.array(z.object({ permission: z.string(), description: z.string() })),
  scopes: z.array(z.string()).describe('In the form `<service>/<scope>`.'),
  status: AppStatus.describe(
    'A change returns the app to draft. The published version stays until the app is published again.',
  ),
  serviceId: Id.nullable().describe('The ID of the app’s service in the registry; null before its first publication.'),
  createdAt: Timestamp,
  publishedAt: Timestamp.nullable().describe(
    'When the current version was published; null while the app is unpublished.',
  ),
  counts: z
    .object({ actions: z.int(), keys: z.int(), organizations: z.int() })
    .describe('Numbers of its actions, its API keys, and the organizations that have it.'),
})
export type DeveloperApp = z.output<typeof DeveloperApp>
export type DeveloperAppRow = z.input<typeof DeveloperApp>

export const AdminApp = DeveloperApp.pick({ id: true, slug: true, name: true, status: true }).extend({
  organization: z.object({ id: Id, name: z.string() }),
  submittedAt: Timestamp.nullable().describe('When the app was submitted for review; null when it isn’t under review.'),
})
export type AdminApp = z.output<typeof AdminApp>

export const AppSearch = z.object({
  q: optionalField(plainText(100).trim()),
  status: optionalField(AppStatus),
  ...paging,
})
export type AppSearch = z.output<typeof AppSearch>

const PersonRef = z.object({ id: Id, name: z.string() })

/** Pending while `decision` is null. */
export const AppReview = z.object({
  id: Id,
  submittedBy: PersonRef.nullable(),
  submittedAt: Timestamp,
  decision: z.enum(['approved', 'rejected', 'withdrawn']).nullable(),
  reason: z.string().nullable(),
  decidedBy: PersonRef.nullable(),
  decidedAt: Timestamp.nullable(),
})
export type AppReview = z.output<typeof AppReview>

export const Verdict = z
  .object({
    id: Id,
    decision: z.enum(['approved', 'rejected'], 'Must be approved or rejected.'),
    reason: optionalField(plainText(1000).trim().min(1, 'Enter a reason.')),
  })
  .refine(({ decision, reason }) => decision === 'approved' || reason, {
    path: ['reason'],
    message: 'Enter a reason.',
  })
export type Verdict = z.output<typeof Verdict>

export const AdminAppDetail = DeveloperApp.extend({
  organization: z.object({ id: Id, name: z.string() }),
  actions: z.array(AppAction),
  reviews: z.array(AppReview).describe('Newest first.'),
})
export type AdminAppDetail = z.output<typeof AdminAppDetail>
