import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { listOf, paging } from '#lib/paginate.ts'
import { plainText } from '#lib/text.ts'
import { Timestamp } from '#lib/time.ts'
import { launchOutcomes, launchSurfaces } from '../schema/launches.ts'

const Ref = plainText(100)
const Context = z.union([Id, z.literal('personal')], 'Must be the ID of an organization or personal.')

export const LaunchRequest = z.object({
  serviceId: Ref.describe('The ID or slug of an installed app.'),
  surface: z.enum(launchSurfaces).default('link').describe('Where the person opened it.'),
  context: Context.optional().describe('The ID of an organization, or `personal`. Defaults to the active one.'),
})
export type LaunchRequest = z.output<typeof LaunchRequest>

export const LaunchResult = z.object({
  url: z
    .string()
    .describe(
      'The address to open now, with a code where the app takes hand-off codes: that of the app in the browser, or its universal link on a phone for which the app has a native build.',
    ),
  universalUrl: z.string().describe('The universal link of the app, which a native build takes over.'),
  expiresAt: Timestamp.nullable().describe('When the code of `url` expires; null without one.'),
})
export type LaunchResult = z.input<typeof LaunchResult>

export const LaunchLink = z.object({
  service_id: Ref,
  code: plainText(500).optional().describe('For the native build. The page ignores it and creates a code of its own.'),
  context: Context.optional(),
})

const Named = z.object({ id: Id, name: z.string() })

export const Launch = z.object({
  id: Id,
  service: Named,
  person: Named,
  surface: z.enum(launchSurfaces),
  outcome: z.enum(launchOutcomes),
  problem: z.string().nullable().describe('The code of the problem of a refused launch.'),
  launchedAt: Timestamp,
})

export const LaunchList = listOf(Launch)

export const LaunchQuery = z.object({ ...paging })

export const LauncherEntry = z.object({
  id: Id,
  slug: z.string(),
  name: z.string(),
  description: z.string(),
  icon: z.string().nullable(),
  group: z.string().nullable(),
  webUrl: z.string(),
  universalUrl: z.string(),
  nativeLinks: z.object({ ios: z.string().nullable(), android: z.string().nullable() }),
  handoff: z.boolean().describe('Whether a launch signs the person in.'),
  favorite: z.boolean(),
  hidden: z.boolean(),
})

export const Launcher = listOf(LauncherEntry).extend({ tileSize: z.enum(['small', 'medium', 'large']) })

export const Entitlements = listOf(
  z.object({
    id: Id,
    slug: z.string(),
    name: z.string(),
    installed: z.boolean(),
    covered: z.boolean().describe('Whether the plan allows installing the app. True for an installed one.'),
  }),
).extend({
  plan: z
    .object({
      mode: z.enum(['count', 'all', 'free']),
      used: z.int(),
      allowed: z.int().nullable(),
      left: z.int().nullable(),
      seats: z.object({ used: z.int(), paid: z.int().nullable(), left: z.int().nullable() }),
    })
    .describe('Numbers of paid apps and of seats; null for unlimited.'),
})
