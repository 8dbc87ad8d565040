import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { Timestamp } from '#lib/time.ts'
import { words } from '#lib/words.ts'
import { name, Role, Slug } from '../contract/fields.ts'
import { SurfaceKind, WorkContext } from '../contract/services.ts'

/** A form sends an empty text for what is not there. */
const blank = <Field extends z.ZodType>(field: Field) =>
  z.preprocess((value) => (value === '' ? null : value), field.nullable())

/** A checkbox follows a hidden field that says no: the last of both counts. */
const Choice = z.preprocess(
  (value) => (Array.isArray(value) ? value.at(-1) : value),
  z.union([z.boolean(), z.stringbool()], 'Must be true or false.'),
)

const Place = words(2000).regex(
  /^(\/(?![/\\])[^\s\\]*|https?:\/\/[^\s\\]+)$/,
  'Must be a path, such as /workspace, or an address that begins with https://.',
)
const Address = z.url({ protocol: /^https$/, error: 'Must be an address that begins with https://.' }).max(2000)

const isList = (value: unknown) => (typeof value === 'string' ? value.split(/\s+/).filter(Boolean) : value)

/** RFC 8252: https, http on a loopback host, or an app's own scheme, which has a dot; never a part that is ignored. */
const RedirectUri = z
  .string()
  .max(2048)
  .regex(
    /^(https:\/\/(?![^/?]*@)[^#*\s\\]+|http:\/\/(localhost|127\.0\.0\.1|\[::1\]|[a-z0-9-]+\.localhost)([:/?][^#*\s\\]*)?|[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:\/[^#*\s\\]*)$/,
    'Must be a whole https address without a wildcard or fragment; http for localhost alone; or an app’s own scheme, such as com.example.app:/callback.',
  )

const described = {
  name: name('The name'),
  description: words(300).trim(),
  icon: blank(words(40).trim()),
  surface_kind: SurfaceKind,
  surface_group: blank(words(60).trim()),
  launchable: Choice,
  household_capable: Choice,
  supportedContexts: z.array(WorkContext, 'Choose a context.').min(1, 'Choose at least one context.').max(2),
  webUrl: blank(Place),
  nativeLinks: z.object({ ios: blank(Address).optional(), android: blank(Address).optional() }),
  widgetUrl: blank(Place),
  redirectUris: z.preprocess(isList, z.array(RedirectUri).max(50, 'At most 50 addresses.')),
  handoffUri: blank(RedirectUri).describe(
    'One of the redirect URIs: people arrive there from the app switcher with an `sso_code`. Our own apps have their callback.',
  ),
  firstParty: Choice,
  paid: Choice,
  defaultAccess: Choice,
}

/** What a new service is, beside what it needs nothing said of. */
export const ServiceDraft = z.object(described).partial().extend({
  slug: Slug,
  name: described.name,
  description: described.description,
})
export type ServiceDraft = z.output<typeof ServiceDraft>

/** What of a service may change: its slug is the name that programs know it by. */
export const ServiceEdit = z.object(described).partial().extend({ id: Id })
export type ServiceEdit = z.output<typeof ServiceEdit>

const ScopeName = z.string().regex(/^[a-z_]{1,40}\.[a-z]{1,40}$/, 'Must be a scope, such as posts.read.')
const forKeys = Choice.describe('Whether an API key can carry it.')
const description = words(300).trim().min(1, 'Say what it permits.')

export const ScopeDraft = z.object({ id: Id, scope: ScopeName, description, forKeys: forKeys.default(true) })
export type ScopeDraft = z.output<typeof ScopeDraft>

const narrowKeys = Choice.default(false).describe('Takes it from the API keys that carry it, instead of a refusal.')

export const ScopeEdit = z.object({
  id: Id,
  scope: ScopeName,
  description: description.optional(),
  forKeys: forKeys.optional(),
  narrowKeys,
})
export type ScopeEdit = z.output<typeof ScopeEdit>

export const ScopeEnd = z.object({ id: Id, scope: ScopeName, narrowKeys })
export type ScopeEnd = z.output<typeof ScopeEnd>

export const NarrowedKeys = z.object({ narrowedKeys: z.number().int().describe('API keys that carry it no more.') })

const PermissionNames = z.preprocess(
  (value) => (Array.isArray(value) ? value.filter((item) => item !== '') : value),
  z.array(z.string().max(100)).max(200),
)

export const BundleEdit = z.object({ id: Id, role: Role, permissions: PermissionNames })
export type BundleEdit = z.output<typeof BundleEdit>

/** Bundles of several roles at once; a role that is not named keeps its own. */
export const BundlesEdit = z.object({ id: Id, bundles: z.partialRecord(Role, PermissionNames) })
export type BundlesEdit = z.output<typeof BundlesEdit>

/** A service that an organization has or could have. */
export const OrganizationService = z.object({
  id: Id,
  slug: z.string(),
  name: z.string(),
  surface_kind: SurfaceKind,
  installed: z.boolean(),
  grantedAt: Timestamp.nullable(),
})
export type OrganizationService = z.output<typeof OrganizationService>

export const AccessQuery = z.object({ id: Id, serviceId: Id })
