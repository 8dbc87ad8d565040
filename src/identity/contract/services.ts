import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { words } from '#lib/words.ts'
import { Role } from './fields.ts'

export const Service = z.object({ id: Id, slug: z.string(), name: z.string(), description: z.string() })

/** IDN-20: a service as the app switcher's catalog has it. */
export const CatalogService = Service.extend({
  icon: z.string().nullable(),
  surfaceKind: z.enum(['app', 'api', 'runtime', 'internal']),
  launchable: z.boolean(),
  webUrl: z.string().nullable().describe('Where its first page is, relative to the origin that answered.'),
})

/** An app that people open here. */
export const App = CatalogService.extend({ launchable: z.literal(true), webUrl: z.string() })
export type App = z.infer<typeof App>

export const Scope = z.object({ scope: z.string(), permission: z.string(), description: z.string() })

export const RoleBundle = z.object({ role: Role, permissions: z.array(z.string()) })

/** A service by its id in this environment, or by its slug. */
export const ServiceRef = words(100).describe('The id or the slug of a service.')

/** The context that is meant, where the person has chosen one. */
export const ContextRef = z
  .union([z.literal('personal'), Id], 'Must be personal, or the id of an organization.')
  .optional()

export const ServiceQuery = z.object({ id: Id })
