import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { listOf } from '#lib/paginate.ts'
import { Timestamp, TimeZone } from '#lib/time.ts'
import { plainText } from '#lib/text.ts'

/** Networks that exist, planned ones included (SOC-06, SOC-08). */
export const providers = [
  'sandbox',
  'x',
  'linkedin',
  'linkedin-page',
  'facebook',
  'instagram',
  'threads',
  'youtube',
  'tiktok',
  'bluesky',
  'mastodon',
  'discord',
] as const
export const Provider = z.enum(providers, 'Must be the name of a supported network.')
export type Provider = z.infer<typeof Provider>

export const PostStatus = z.enum(['draft', 'scheduled', 'published', 'failed'])
export type PostStatus = z.infer<typeof PostStatus>

const QueueSlot = z.object({ day: z.int().min(1).max(7), time: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/) })
const ReviewPolicy = z.object({ approvals: z.int().min(0).max(10) })

function none(message: string) {
  return z
    .array(z.unknown(), message)
    .max(0, message)
    .transform((): [] => [])
    .optional()
}

const knownZones = new Map<string, boolean>()

/** A stored time zone. Reading the name of a zone takes several microseconds, so each is read once. */
const StoredZone = z.string().refine((name) => {
  const isKnown = knownZones.get(name) ?? TimeZone.safeParse(name).success
  knownZones.set(name, isKnown)
  return isKnown
})

export const Brand = z.object({
  id: Id,
  name: z.string(),
  slug: z.string(),
  organizationId: Id,
  timeZone: StoredZone,
  logoUrl: z.string().nullable(),
  colors: z.array(z.string()),
  voice: z.string().nullable(),
  defaultHashtags: z.array(z.string()),
  queueSlots: z.array(QueueSlot),
  reviewPolicy: ReviewPolicy,
  createdAt: Timestamp,
  counts: z.object({
    accounts: z
      .int()
      .nullable()
      .describe('Active accounts; null without `accounts:read`. Up to 1,000: 1001 means that there are more.'),
    posts: z.int().describe('Up to 1,000: 1001 means that there are more.'),
    scheduled: z.int().describe('Scheduled posts, up to 1,000: 1001 means that there are more.'),
  }),
  can: z.object({ update: z.boolean(), transfer: z.boolean() }),
})
export type Brand = z.output<typeof Brand>

export const BrandList = listOf(Brand).extend({
  total: z.int().describe('The total number of brands, across all pages.'),
  can: z.object({ create: z.boolean() }),
})
export type BrandList = z.output<typeof BrandList>

export const BrandSummary = Brand.pick({ id: true, name: true, timeZone: true })
export type BrandSummary = z.output<typeof BrandSummary>

/** The brand that a person works with, and those they can switch to. */
export const CurrentBrand = z.object({
  brand: BrandSummary.nullable(),
  brands: z.array(BrandSummary).describe('The first 20 brands by name, and the current one.'),
  can: z.object({ createBrand: z.boolean() }),
})
export type CurrentBrand = z.output<typeof CurrentBrand>

const notYet = (what: string, field: string) => `${what} yet: leave ${field} out.`

const brandFields = {
  name: plainText(80).trim().min(1, 'Enter a name.'),
  slug: z
    .string()
    .regex(
      /^[a-z0-9](?:[a-z0-9-]{0,46}[a-z0-9])?$/,
      'Must contain only lowercase letters, digits and hyphens, and start and end with a letter or digit.',
    )
    .optional(),
  voice: plainText(2000).optional().describe('Stored for your own programs. Atrium doesn’t use it yet.'),
  colors: z
    .array(z.string().regex(/^#[0-9a-f]{6}$/i, 'Must be a color such as #0f766e.'))
    .max(8)
    .optional()
    .describe('Stored for your own programs. Atrium doesn’t use them yet.'),
  // Fields without an effect so far only accept the value that means none.
  logoUrl: z.null(notYet('Logos can’t be set', 'logoUrl')).optional(),
  defaultHashtags: none(notYet('Default hashtags aren’t added to posts', 'defaultHashtags')),
  queueSlots: none(notYet('Queue slots don’t schedule posts', 'queueSlots')),
  reviewPolicy: z.object({ approvals: z.literal(0, notYet('Approvals can’t be required', 'reviewPolicy')) }).optional(),
}

export const BrandDraft = z.object({ ...brandFields, timeZone: TimeZone.default('UTC') })
export type BrandDraft = z.output<typeof BrandDraft>

export const BrandEdit = z
  .object({ ...brandFields, name: brandFields.name.optional(), timeZone: TimeZone.optional(), id: Id })
  .refine((edit) => Object.keys(edit).length > 1, 'Send at least one field to change.')
export type BrandEdit = z.output<typeof BrandEdit>

export const BrandTransfer = z.object({ brandId: Id, targetOrganizationId: Id })
export type BrandTransfer = z.output<typeof BrandTransfer>

/** An organization of the caller's to which a brand can be transferred. */
export const TransferTarget = z.object({ id: Id, name: z.string() })
export type TransferTarget = z.output<typeof TransferTarget>

/** A connected account. Its tokens have no field here: they never leave. */
export const Connection = z.object({
  id: Id,
  brandId: Id,
  provider: Provider,
  ownerId: Id,
  active: z.boolean(),
  account: z.object({ id: z.string(), name: z.string() }),
  health: z.enum(['ok', 'signed_out', 'expired']),
  scopes: z.array(z.string()),
  expiresAt: Timestamp.nullable(),
  createdAt: Timestamp,
  can: z.object({
    deactivate: z.boolean(),
    reconnect: z.boolean().describe('False when the network signed the account out. Reconnect it.'),
  }),
})
export type Connection = z.output<typeof Connection>

const TargetPlace = z.object({ id: z.string(), name: z.string(), connectionId: Id })

export const Integration = z.object({
  provider: Provider,
  name: z.string(),
  readiness: z.enum(['production-ready', 'sandbox-only', 'setup-required', 'planned']),
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
  brand: BrandSummary.nullable().describe('The brand of `brandId`; null without it.'),
})
export type IntegrationList = z.output<typeof IntegrationList>

/** The fields of every network's form. The network checks the others. */
export const ConnectForm = z.looseObject({ platform: z.string(), brandId: Id })
export type ConnectForm = z.output<typeof ConnectForm>

const ImageType = z.enum(['image/jpeg', 'image/png', 'image/webp', 'image/gif'])
export type ImageType = z.infer<typeof ImageType>

/** Smaller copies of an image: for lists, for previews, and for networks that take no large files. */
export const Rendition = z.enum(['thumb', 'preview', 'web'])
export type Rendition = z.infer<typeof Rendition>

const ImageFacts = { contentType: ImageType, width: z.int(), height: z.int(), bytes: z.int() }

export const Media = z.object({
  id: Id,
  brandId: Id,
  name: z.string(),
  alt: z.string(),
  ...ImageFacts,
  sha256: z.string(),
  animated: z.boolean(),
  renditions: z.partialRecord(Rendition, z.object(ImageFacts)),
  createdBy: Id,
  createdAt: Timestamp,
})
export type Media = z.output<typeof Media>

/** A resumable upload (tus 1.0). */
export const Upload = z.object({
  id: Id,
  brandId: Id,
  name: z.string(),
  alt: z.string(),
  status: z
    .enum(['uploading', 'processing', 'completed', 'failed'])
    .describe('`processing`: all bytes have arrived and the file is being checked. `failed`: see `failure`.'),
  length: z.int().describe('Length of the file in bytes.'),
  received: z.int().describe('Bytes received, which is the offset of the next piece.'),
  contentType: z.string().nullable().describe('Detected from the content once the upload is complete.'),
  sha256: z.string().nullable().describe('Hash of the file as sent, once the upload is complete.'),
  mediaId: Id.nullable().describe('ID of the image in the library.'),
  failure: z.string().nullable(),
  createdBy: Id,
  createdAt: Timestamp,
  expiresAt: Timestamp.nullable().describe('When it is deleted; null for a complete video.'),
})
export type Upload = z.output<typeof Upload>

export const PostMedia = z.object({ mediaId: Id, alt: z.string() })
export type PostMedia = z.output<typeof PostMedia>

/** The destination on the network: an account of the brand, a Page, a Group, an organization. */
export const Target = z
  .object({
    connectionId: Id.optional(),
    pageId: plainText(200).optional(),
    groupId: plainText(200).optional(),
    organizationId: plainText(200).optional(),
    accountId: plainText(200).optional(),
    threadAccountId: plainText(200).optional(),
  })
  .strict()
export type Target = z.output<typeof Target>

const Waiting = z.object({
  reason: z.enum(['thread_predecessor', 'account_busy', 'workspace_suspended', 'identity_unavailable', 'rate_window']),
  /** The previous part of the thread. */
  postId: Id.optional(),
  /** When the rate limit of the network opens again. */
  until: z.iso.datetime().optional(),
})

export const Post = z.object({
  id: Id,
  brandId: Id,
  provider: Provider,
  authorId: Id,
  text: z.string(),
  status: PostStatus,
  scheduledAt: Timestamp.nullable(),
  timeZone: StoredZone.nullable(),
  groupId: Id.nullable(),
  threadId: Id.nullable(),
  position: z.int(),
  media: z.array(PostMedia),
  firstComment: z.string().nullable(),
  linkPreview: z.object({ url: z.string() }).nullable(),
  tags: z.array(z.string()),
  campaign: z.string().nullable(),
  target: Target.nullable(),
  platformPostId: z.string().nullable(),
  permalink: z.string().nullable(),
  publishedAt: Timestamp.nullable(),
  withdrawnAt: Timestamp.nullable(),
  failureCode: z.string().nullable(),
  failureMessage: z.string().nullable(),
  failedAt: Timestamp.nullable(),
  failureRetryable: z.boolean().nullable(),
  reviewState: z.enum(['none', 'requested', 'approved', 'changes_requested']),
  waitingFor: Waiting.nullable(),
  version: z.int(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type Post = z.output<typeof Post>

/** What the caller can do with a post in its present state, by the names of the operations. */
const PostAbilities = z.object({
  update: z.boolean(),
  delete: z.boolean(),
  publishNow: z.boolean(),
  retry: z.boolean(),
  duplicate: z.boolean(),
  detach: z.boolean(),
  withdraw: z.boolean(),
})
export type PostAbilities = z.output<typeof PostAbilities>

export const ListedPost = Post.extend({
  brandName: z.string(),
  accountName: z
    .string()
    .nullable()
    .describe('The account that the post was published to, or would be published to. Null when none is connected.'),
  authorName: z.string().nullable().describe('Null when the author’s account was deleted.'),
  threadSize: z.int().nullable().describe('Number of posts in its thread.'),
  isDue: z
    .boolean()
    .describe(
      'Whether the scheduled time has passed. The post is then being published, unless `waitingFor` gives a reason.',
    ),
  can: PostAbilities,
})
export type ListedPost = z.output<typeof ListedPost>

export const PostList = listOf(ListedPost).extend({ can: z.object({ create: z.boolean() }) })
export type PostList = z.output<typeof PostList>

export const PostCounts = z.object({ draft: z.int(), scheduled: z.int(), published: z.int(), failed: z.int() })
export type PostCounts = z.output<typeof PostCounts>

/** What a network accepts from an account. */
export const PostLimits = z.object({
  characters: z.int(),
  media: z.int(),
  urlCharacters: z.int().nullable().describe('How many characters each URL counts as; null if its own length counts.'),
  images: z
    .object({ types: z.array(ImageType), bytes: z.int() })
    .nullable()
    .describe('Null when unknown.'),
})
export type PostLimits = z.output<typeof PostLimits>

export const PostDetails = ListedPost.extend({
  brandTimeZone: StoredZone,
  characters: z.int().describe('The length of the text, as counted by its network.'),
  limits: PostLimits.nullable(),
})
export type PostDetails = z.output<typeof PostDetails>

/** An account that a post can be published to: `provider` and `target` are those of a new post. */
export const PostTarget = z.object({
  provider: Provider,
  target: z.object({ connectionId: Id }),
  accountName: z.string(),
  limits: PostLimits,
})
export type PostTarget = z.output<typeof PostTarget>

/** One attempt to publish a post. */
export const Attempt = z.object({
  id: Id,
  number: z.int(),
  state: z.enum(['sending', 'published', 'failed', 'unknown', 'not_arrived']),
  events: z.array(z.object({ at: z.string(), what: z.string(), detail: z.string().optional() })),
  startedAt: Timestamp,
  settledAt: Timestamp.nullable(),
})
export type Attempt = z.output<typeof Attempt>
