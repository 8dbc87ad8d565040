import { z } from 'zod'
import { isLoopback } from '#lib/address.ts'
import { Id } from '#lib/ids.ts'
import { paging } from '#lib/paginate.ts'
import { Timestamp } from '#lib/time.ts'
import { words } from '#lib/words.ts'
import { name, Slug } from '../contract/fields.ts'

/** An organization as the developer console knows it (IDN-34). */
export const DeveloperWorkspace = z.object({
  id: Id,
  slug: z.string(),
  name: z.string(),
  developerWorkspace: z.boolean(),
  status: z.enum(['active', 'suspended', 'revoked']),
  reason: z.string().nullable().describe('Why it may not work; null while it may.'),
})
export type DeveloperWorkspace = z.output<typeof DeveloperWorkspace>
/** The same before it leaves. */
export type WorkspaceRow = z.input<typeof DeveloperWorkspace>

export const WorkspaceRevocation = z.object({
  id: Id,
  reason: words(500, 'Give a reason.').trim().min(1, 'Give a reason.'),
})
export type WorkspaceRevocation = z.output<typeof WorkspaceRevocation>

/** A list as JSON has it, or a form's lines. */
const list = <Item extends z.ZodType>(item: Item, most: number, what: string) =>
  z.preprocess(
    (value) => (typeof value === 'string' ? value.split('\n').flatMap((line) => line.trim() || []) : value),
    z.array(item).max(most, `At most ${most} ${what}.`),
  )

const isWebAddress = (text: string, local: boolean): boolean => {
  const url = URL.parse(text)
  if (!url || url.username || url.password || url.hash || text.includes('#')) return false
  return url.protocol === 'https:' || (local && url.protocol === 'http:' && isLoopback(url.hostname))
}

const address = words(2000).refine(
  (text) => isWebAddress(text, true),
  'Must be an https address without user, password and fragment (http only for this very machine).',
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
    description: words(200).trim().min(1, 'Say behind each permission what it allows.'),
  }),
)

const isUnique = <Item>(items: Item[], key: (item: Item) => string): boolean =>
  new Set(items.map(key)).size === items.length

const Scope = words(160).regex(
  /^[a-z0-9-]+\/[a-z_]+\.[a-z]+$/,
  'Must be a scope such as platform-socialize/posts.read.',
)

/** A form says by an empty text that nothing was chosen. */
const withoutEmpty = (value: unknown) => (Array.isArray(value) ? value.filter((item: unknown) => item !== '') : value)

const fields = {
  name: name('the app’s name'),
  description: words(1000, 'Say what the app does.').trim().min(1, 'Say what the app does.'),
  webUrl: address.describe('Where people open it.'),
  redirectUris: list(address, 10, 'redirect URIs').describe('Where sign-in may return to, exactly so.'),
  handoffUri: z
    .preprocess((value) => (value === '' ? null : value), address.nullable())
    .describe(
      'One of the redirect URIs: people arrive there from the app switcher with an `sso_code`. Without one they are led to `webUrl`, and the app signs them in itself.',
    ),
  permissions: list(DeclaredPermission, 50, 'permissions')
    .refine((items) => isUnique(items, ({ permission }) => permission), 'A permission stands there twice.')
    .describe('What can be permitted in the app itself: its actions need one of these.'),
  scopes: z
    .preprocess(withoutEmpty, z.array(Scope).max(100))
    .describe('What it asks of other services, as `<service>/<scope>`: its keys carry no more.'),
}

/** What a developer says of an app (IDN-34). */
export const DeveloperAppDraft = z.object({
  ...fields,
  slug: Slug.refine((slug) => !slug.startsWith('platform-'), 'The platform’s own services are called so.').optional(),
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
  scopes: z.array(z.string()).describe('As `<service>/<scope>`.'),
  status: AppStatus.describe('A change takes it back to draft; what was published stays until it is published again.'),
  serviceId: Id.nullable().describe('Its entry in the registry, since it was published first.'),
  createdAt: Timestamp,
  publishedAt: Timestamp.nullable().describe(
    'When what stands in the registry was brought there; null while nothing does.',
  ),
})
export type DeveloperApp = z.output<typeof DeveloperApp>
export type DeveloperAppRow = z.input<typeof DeveloperApp>

/** An app as super admins list it. */
export const AdminApp = DeveloperApp.pick({ id: true, slug: true, name: true, status: true }).extend({
  organization: z.object({ id: Id, name: z.string() }),
  submittedAt: Timestamp.nullable().describe('Since when it waits for a review; null when it doesn’t.'),
})
export type AdminApp = z.output<typeof AdminApp>

export const AppSearch = z.object({
  q: z.preprocess((value) => (value === '' ? undefined : value), words(100).trim().optional()),
  ...paging,
})
export type AppSearch = z.output<typeof AppSearch>

const Who = z.object({ id: Id, name: z.string() })

/** One time that an app was submitted; it waits while `decision` is null. */
export const AppReview = z.object({
  id: Id,
  submittedBy: Who.nullable(),
  submittedAt: Timestamp,
  decision: z.enum(['approved', 'rejected', 'withdrawn']).nullable(),
  reason: z.string().nullable(),
  decidedBy: Who.nullable(),
  decidedAt: Timestamp.nullable(),
})
export type AppReview = z.output<typeof AppReview>

export const Verdict = z
  .object({
    id: Id,
    decision: z.enum(['approved', 'rejected'], 'Must be approved or rejected.'),
    reason: z.preprocess(
      (value) => (value === '' ? undefined : value),
      words(1000).trim().min(1, 'Give a reason.').optional(),
    ),
  })
  .refine(({ decision, reason }) => decision === 'approved' || reason, {
    path: ['reason'],
    message: 'Give a reason.',
  })
export type Verdict = z.output<typeof Verdict>
