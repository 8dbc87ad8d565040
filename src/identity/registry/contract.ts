import { z } from 'zod'
import { Flag, nullableField, plainText, withoutEmpty } from '#lib/text.ts'
import { Id } from '#lib/ids.ts'
import { Timestamp } from '#lib/time.ts'
import { name, Role, Slug } from '../contract/fields.ts'
import { CatalogService, ServicePermission, SurfaceKind, WorkContext } from '../contract/services.ts'

/** Forms send a hidden false before the checkbox: the last value counts. */
const Choice = z.preprocess((value) => (Array.isArray(value) ? value.at(-1) : value), Flag)

const Place = plainText(2000).regex(
  /^(\/(?![/\\])[^\s\\]*|https?:\/\/[^\s\\]+)$/,
  'Must be a path, such as /workspace, or a URL that begins with https://.',
)
const Address = z.url({ protocol: /^https$/, error: 'Must be a URL that begins with https://.' }).max(2000)

const isList = (value: unknown) => (typeof value === 'string' ? value.split(/\s+/).filter(Boolean) : value)

/** RFC 8252: https, http on a loopback host, or an app’s own scheme with a dot; without a part that parsers ignore. */
const RedirectUri = z
  .string()
  .max(2048)
  .regex(
    /^(https:\/\/(?![^/?]*@)[^#*\s\\]+|http:\/\/(localhost|127\.0\.0\.1|\[::1\]|[a-z0-9-]+\.localhost)([:/?][^#*\s\\]*)?|[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:\/[^#*\s\\]*)$/,
    'Must be a complete https URL without a wildcard or fragment (http only for localhost), or an app’s own scheme, such as com.example.app:/callback.',
  )

const described = {
  name: name('the name'),
  description: plainText(300).trim(),
  icon: nullableField(plainText(40).trim()),
  surface_kind: SurfaceKind,
  surface_group: nullableField(plainText(60).trim()),
  launchable: Choice,
  household_capable: Choice,
  supportedContexts: z.array(WorkContext, 'Choose a context.').min(1, 'Choose at least one context.').max(2),
  webUrl: nullableField(Place),
  nativeLinks: z.object({ ios: nullableField(Address).optional(), android: nullableField(Address).optional() }),
  widgetUrl: nullableField(Place),
  redirectUris: z.preprocess(isList, z.array(RedirectUri).max(50, 'Must be at most 50 URIs.')),
  handoffUri: nullableField(RedirectUri).describe(
    'One of the redirect URIs, to which the app switcher sends people with an `sso_code`. First-party apps use their callback instead.',
  ),
  firstParty: Choice,
  paid: Choice,
  defaultAccess: Choice,
}

/** What is not sent has a default. */
export const ServiceDraft = z.object(described).partial().extend({
  slug: Slug,
  name: described.name,
  description: described.description,
})
export type ServiceDraft = z.output<typeof ServiceDraft>

/** The slug can’t change: programs use it. */
export const ServiceEdit = z.object(described).partial().extend({ id: Id })
export type ServiceEdit = z.output<typeof ServiceEdit>

const ScopeName = z.string().regex(/^[a-z_]{1,40}\.[a-z]{1,40}$/, 'Must be a scope, such as posts.read.')
const forKeys = Choice.describe('Whether API keys can have this scope.')
const description = plainText(300).trim().min(1, 'Enter a description.')

export const ScopeDraft = z.object({ id: Id, scope: ScopeName, description, forKeys: forKeys.default(true) })
export type ScopeDraft = z.output<typeof ScopeDraft>

const narrowKeys = Choice.default(false).describe(
  'Removes the scope from API keys that have it. Otherwise the request is rejected if API keys have the scope.',
)

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

export const NarrowedKeys = z.object({
  narrowedKeys: z.number().int().describe('Number of API keys that lost the scope.'),
})

const PermissionNames = withoutEmpty(z.array(z.string().max(100)).max(200))

export const BundleEdit = z.object({ id: Id, role: Role, permissions: PermissionNames })
export type BundleEdit = z.output<typeof BundleEdit>

/** Roles that are not named keep their permissions. */
export const BundlesEdit = z.object({ id: Id, bundles: z.partialRecord(Role, PermissionNames) })
export type BundlesEdit = z.output<typeof BundlesEdit>

export const RegisteredService = CatalogService.extend({
  permissions: z.array(
    ServicePermission.extend({ apiKeys: z.number().int().describe('Number of active API keys that have its scope.') }),
  ),
})
export type RegisteredService = z.output<typeof RegisteredService>

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
