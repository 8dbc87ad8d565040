import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { plainText } from '#lib/text.ts'
import { Role } from './fields.ts'

export const Service = z.object({ id: Id, slug: z.string(), name: z.string(), description: z.string() })

export const SurfaceKind = z.enum(['app', 'api', 'runtime', 'internal'])
export const WorkContext = z.enum(['personal', 'organization'])

export const CatalogService = Service.extend({
  icon: z.string().nullable(),
  surface_kind: SurfaceKind,
  surface_group: z.string().nullable().describe('The heading under which the service is listed.'),
  surfaceKind: SurfaceKind.describe('The former name of `surface_kind`, with the same value.'),
  launchable: z.boolean().describe('Whether people can open the service in the app switcher. Requires a web URL.'),
  household_capable: z.boolean(),
  supportedContexts: z.array(WorkContext).describe('The contexts in which the service can be used.'),
  webUrl: z
    .string()
    .nullable()
    .describe('The URL of the first page: a path on this origin, or an absolute URL of another origin.'),
  nativeLinks: z.object({ ios: z.string().nullable(), android: z.string().nullable() }),
  widgetUrl: z.string().nullable().describe('The URL of the service’s widget.'),
  redirectUris: z
    .array(z.string())
    .describe(
      'The allowed redirect URIs, compared exactly. For the platform’s own services, they include the service’s callback page.',
    ),
  handoffUri: z
    .string()
    .nullable()
    .describe(
      'The redirect URI to which the app switcher sends people with an `sso_code`. When null, it sends them to `webUrl`, and the app signs them in itself.',
    ),
  firstParty: z.boolean(),
  paid: z.boolean().describe('Whether the service counts toward an organization’s plan.'),
  defaultAccess: z.boolean().describe('Whether new organizations have the service.'),
  installed: z.boolean().describe('Whether the active context has the service.'),
})
export type CatalogService = z.infer<typeof CatalogService>

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
  actions: z.array(z.string()).describe('The names of the actions that the scope allows.'),
})

export const ServicePermission = z.object({
  permission: z.string(),
  scope: z.string().nullable().describe('The API key scope; null when keys can’t have this permission.'),
  description: z.string(),
  roles: z.array(Role).describe('The weakest role first.'),
})
export type ServicePermission = z.infer<typeof ServicePermission>

export const RoleBundle = z.object({ role: Role, permissions: z.array(z.string()) })

export const ServiceRef = plainText(100).describe('The ID or the slug of a service.')

export const ContextRef = z
  .union([z.literal('personal'), Id], 'Must be personal or the ID of an organization.')
  .optional()

export const ServiceQuery = z.object({ id: Id })
