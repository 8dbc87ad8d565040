import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { listOf } from '#lib/paginate.ts'
import { Timestamp } from '#lib/time.ts'
import { BrandSummary } from './brands.ts'
import { Pause } from './pauses.ts'
import { PostLimits, Provider } from './networks.ts'
import { FirstComments } from './posts.ts'
import { StoredZone } from './zones.ts'

/** A connected account. Its tokens have no field here: they never leave. */
export const Connection = z.object({
  id: Id,
  brandId: Id,
  brandName: z.string(),
  brandTimeZone: StoredZone,
  provider: Provider,
  ownerId: Id,
  active: z.boolean(),
  account: z.object({ id: z.string(), name: z.string() }),
  health: z.enum(['ok', 'signed_out', 'expired']),
  sandbox: z
    .boolean()
    .describe('Whether it was connected in the sandbox of its network: its posts aren’t shown to the public.'),
  warning: z.string().nullable().describe('Why its posts are likely to fail, whatever they contain.'),
  scopes: z.array(z.string()),
  expiresAt: Timestamp.nullable(),
  signInEndsAt: Timestamp.nullable().describe(
    'When its tokens can no longer be refreshed and it has to be connected again; null when that isn’t known.',
  ),
  createdAt: Timestamp,
  scheduledPosts: z
    .int()
    .nullable()
    .describe(
      'Number of posts scheduled for it, counted among the brand’s next 1,001; null without `posts:read` in each brand whose posts are counted.',
    ),
  isPaused: z.boolean().describe('Whether the account is paused by itself. Its brand or organization can be, too.'),
  can: z.object({
    pause: z.boolean().describe('Whether you can pause and resume it.'),
    deactivate: z.boolean(),
    reconnect: z.boolean().describe('False when the network signed the account out: connect it again.'),
    connect: z.boolean().describe('Whether you can connect it again, on its network.'),
  }),
})
export type Connection = z.output<typeof Connection>

const Place = z.object({ id: z.string(), name: z.string() })

export const AccountQuota = z.object({
  counts: z.enum(['posts', 'replies']).describe('`posts` includes replies where the network doesn’t count them apart.'),
  per: z
    .enum(['account', 'app'])
    .describe('`app`: of all accounts of the organization that were connected with its app.'),
  used: z
    .int()
    .nullable()
    .describe('As the network said last, or what Atrium published for the organization; null without `posts:read`.'),
  total: z.int().nullable().describe('Null where the network doesn’t publish its limit.'),
  windowSeconds: z
    .number()
    .nullable()
    .describe('How long a post is counted; null when the count restarts at midnight.'),
  timeZone: StoredZone.nullable().describe('Where it is midnight.'),
  resetsAt: Timestamp.nullable().describe(
    'When the count restarts, or the oldest post is no longer counted; null when none is.',
  ),
  reportedAt: Timestamp.nullable().describe('When the network last said how much is used; null where it doesn’t.'),
})
export type AccountQuota = z.output<typeof AccountQuota>

export const ConnectionDetails = Connection.extend({
  ownerName: z.string().nullable().describe('Who connected it; null when their user account was deleted.'),
  firstComments: FirstComments,
  limits: PostLimits.nullable().describe('What a post on it can have; null when its network isn’t offered.'),
  quotas: z.array(AccountQuota).describe('How many posts its network takes in a time.'),
  throttledUntil: Timestamp.nullable().describe('Until when the network takes no posts from it; null when it does.'),
  pausedWith: z
    .enum(['brand', 'organization'])
    .nullable()
    .describe('What is paused besides the account: its brand, or the whole organization.'),
  pages: z.array(Place),
  groups: z.array(Place),
  organizations: z.array(Place),
})
export type ConnectionDetails = z.output<typeof ConnectionDetails>

/** What a person can connect after a consent that gives access to several Pages. */
export const TargetChoice = z.object({
  brand: z.object({ id: Id, name: z.string() }),
  provider: Provider,
  choice: z.string(),
  unsavedId: Id.nullable().describe('The unsaved post from which the account is connected.'),
  leftOut: z
    .array(z.string())
    .describe('Accounts of the brand that you connected before and that this consent left out.'),
  items: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      detail: z.string(),
      refusal: z.string().nullable().describe('Why it can’t be connected.'),
      warning: z.string().nullable().describe('Why its posts are likely to fail.'),
      isConnected: z.boolean(),
    }),
  ),
})
export type TargetChoice = z.output<typeof TargetChoice>

const TargetPlace = Place.extend({ connectionId: Id })

export const Integration = z.object({
  provider: Provider,
  name: z.string(),
  readiness: z.enum(['production-ready', 'sandbox-only', 'setup-required']),
  /** How it is connected: with a form, on the network's own consent page, or not at all yet. */
  connect: z.enum(['form', 'authorize', 'none']),
  connections: z.array(Connection),
  targets: z.object({
    pages: z.array(TargetPlace),
    groups: z.array(TargetPlace),
    organizations: z.array(TargetPlace),
    accounts: z.array(TargetPlace),
  }),
  limits: z.object({ characters: z.int(), media: z.int() }),
  attention: z.string().nullable(),
  note: z.string().nullable(),
  can: z.object({ connect: z.boolean() }),
})
export type Integration = z.output<typeof Integration>

export const IntegrationList = listOf(Integration).extend({
  brand: BrandSummary.nullable().describe('The brand of `brandId` or `brand`; null without one.'),
  pauses: z.array(Pause).describe('Of whole brands and of the organization.'),
  can: z.object({ createBrand: z.boolean(), pause: z.boolean(), pauseAll: z.boolean() }),
})
export type IntegrationList = z.output<typeof IntegrationList>

/** The fields of every network's form. The network checks the others. */
export const ConnectForm = z.looseObject({
  platform: z.string(),
  brandId: Id,
  unsavedId: Id.optional().describe(
    'The unsaved post from which the account is connected: a network’s consent page leads back to it.',
  ),
})
export type ConnectForm = z.output<typeof ConnectForm>
