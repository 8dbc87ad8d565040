import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { words } from '#lib/words.ts'
import { Role } from './fields.ts'

export const Service = z.object({ id: Id, slug: z.string(), name: z.string(), description: z.string() })

export const SurfaceKind = z.enum(['app', 'api', 'runtime', 'internal'])
export const WorkContext = z.enum(['personal', 'organization'])

/** IDN-20: a service as the registry has it. */
export const CatalogService = Service.extend({
  icon: z.string().nullable(),
  surface_kind: SurfaceKind,
  surface_group: z.string().nullable().describe('Under which heading it stands beside others.'),
  surfaceKind: SurfaceKind.describe('The same as `surface_kind`, by the name that it had first.'),
  launchable: z.boolean().describe('Whether people open it here: then it has a web URL.'),
  household_capable: z.boolean(),
  supportedContexts: z.array(WorkContext).describe('Where one works in it: alone, in an organization, or both.'),
  webUrl: z
    .string()
    .nullable()
    .describe('Where its first page is: a path of the origin that answered, or a whole address elsewhere.'),
  nativeLinks: z.object({ ios: z.string().nullable(), android: z.string().nullable() }),
  widgetUrl: z.string().nullable().describe('Where it answers with its widget.'),
  redirectUris: z
    .array(z.string())
    .describe(
      'Where it may have people sent back to, to the letter; the platform’s own have their callback page besides.',
    ),
  handoffUri: z
    .string()
    .nullable()
    .describe(
      'The redirect URI at which people arrive from the app switcher with an `sso_code`; null where they are led to `webUrl` and the app signs them in itself.',
    ),
  firstParty: z.boolean(),
  paid: z.boolean().describe('Whether it counts against what an organization has paid for.'),
  defaultAccess: z.boolean().describe('Whether a new organization has it from the beginning.'),
  installed: z.boolean().describe('Whether the context that one works in has it.'),
})
export type CatalogService = z.infer<typeof CatalogService>

/** An app that people open here. */
export const App = CatalogService.extend({
  launchable: z.literal(true),
  installed: z.literal(true),
  webUrl: z.string(),
})
export type App = z.infer<typeof App>

export const Scope = z.object({
  scope: z.string(),
  permission: z.string(),
  description: z.string(),
  actions: z.array(z.string()).describe('The names of the actions that it opens, as the catalog has them.'),
})

/** What can be permitted in a service, and which roles carry it. */
export const ServicePermission = z.object({
  permission: z.string(),
  scope: z.string().nullable().describe('Null where no key can carry it.'),
  description: z.string(),
  roles: z.array(Role).describe('The weakest first.'),
})
export type ServicePermission = z.infer<typeof ServicePermission>

export const RoleBundle = z.object({ role: Role, permissions: z.array(z.string()) })

/** A service by its id in this environment, or by its slug. */
export const ServiceRef = words(100).describe('The id or the slug of a service.')

/** The context that is meant, where the person has chosen one. */
export const ContextRef = z
  .union([z.literal('personal'), Id], 'Must be personal, or the id of an organization.')
  .optional()

export const ServiceQuery = z.object({ id: Id })
