import { z } from 'zod'
import { invalid } from '#lib/errors.ts'
import { Flag, optionalField, plainText } from '#lib/text.ts'
import { Instant, wallTime, TimeZone } from '#lib/time.ts'
import { Id } from '#lib/ids.ts'
import { Alt, Tags } from '../media/input.ts'
import { LinkPreviewInput, WebAddress } from '../link-previews/input.ts'
import { PostStatus, Provider, Target, VideoPrivacy } from '../contract.ts'

const LocalTime = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/)
  .refine(isCalendarTime)
  .transform((local) => ({ local }))

const DateAndTime = z.object({ date: z.string(), time: z.string() }).transform(({ date, time }) => `${date}T${time}`)

/** Also as the two fields of a form. */
export const WallTime = z.union(
  [LocalTime, DateAndTime.pipe(LocalTime)],
  'Must be a local time, such as 2026-11-21T10:20.',
)

const When = z.union(
  [z.enum(['now', 'next-slot']), Instant, WallTime],
  'Must be a time with an offset, such as 2026-11-21T10:20:00Z, a local time, such as 2026-11-21T10:20, now, or next-slot.',
)
export type When = z.output<typeof When>

export const optionalWhen = <Time extends z.ZodType>(time: Time) =>
  z.preprocess((value) => (hasEmptyDate(value) ? undefined : value), optionalField(time))

const hasEmptyDate = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'date' in value && value.date === ''

type GivenTime = Exclude<When, 'now' | 'next-slot'>

/** A wall time that occurs twice means the first. @throws {Problem} 422 unless it exists and is in the future */
export function publishingTime(when: GivenTime | 'now', timeZone: string, now: Date, path = 'scheduledAt'): Date {
  if (when === 'now') return nextSecond(now)
  const at = plannedTime(when, timeZone, path)
  if (at > now) return at
  throw invalid([{ path, message: 'Choose a time in the future. This one has passed.' }])
}

/** Of a draft, which can be saved with a time that has passed. @throws {Problem} 422 unless the time exists */
export function plannedTime(when: GivenTime, timeZone: string, path = 'scheduledAt'): Date {
  if (!(when instanceof Date)) requireExistingTime(when.local, timeZone, path)
  const at = when instanceof Date ? when : wallTime(when.local, timeZone)
  if (at.getUTCFullYear() >= 1970 && at.getUTCFullYear() <= 9999) return at
  throw invalid([{ path, message: 'Choose a time between the years 1970 and 9999.' }])
}

/** @throws {Problem} 422 for a wall time that a daylight-saving change skips */
function requireExistingTime(local: string, timeZone: string, path: string): void {
  const wanted = Temporal.PlainDateTime.from(local)
  const existing = wanted.toZonedDateTime(timeZone).toPlainDateTime()
  if (existing.equals(wanted)) return
  const [time, next] = [wanted, existing].map((one) => one.toPlainTime().toString({ smallestUnit: 'minute' }))
  const day = wanted.toPlainDate().toString()
  const message = `${time} doesn’t exist on ${day} in ${timeZone}: clocks go forward. Choose another time, such as ${next}.`
  throw invalid([{ path, message }])
}

/** The start of the next second: when `now`, `publish-now` and `retry` schedule (SOC-13). */
export const nextSecond = (now: Date): Date => new Date(Math.floor(now.getTime() / 1000) * 1000 + 1000)

function isCalendarTime(local: string): boolean {
  try {
    return Temporal.PlainDateTime.from(local).year > 0
  } catch {
    return false
  }
}

/** Browsers send line breaks as CR LF; networks count them once. */
export const Text = plainText(70_000)
  .transform((text) => text.replaceAll('\r\n', '\n'))
  .refine(isVisible, 'Enter some text.')

function isVisible(text: string): boolean {
  return /[^\s\p{Z}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]/u.test(text)
}

/** Images in their order. A form without images sends an empty text. */
const Media = z.preprocess(
  (value) => (value === '' ? [] : value),
  z.array(z.object({ mediaId: Id, alt: Alt.optional() })).max(40),
)
/** An empty one is none. */
const FirstComment = plainText(10_000)
  .transform((text) => (isVisible(text) ? text.replaceAll('\r\n', '\n') : null))
  .nullable()

const emptyIsNull = (maxLength: number) =>
  plainText(maxLength)
    .transform((text) => text || null)
    .nullable()

/** A form sends an empty text for what isn't chosen. */
const YouTube = z.strictObject({
  title: emptyIsNull(1000).default(null).describe('Null: the first line of the text.'),
  privacy: VideoPrivacy.default('private'),
  tags: z
    .preprocess(
      (value) => (typeof value === 'string' ? value.split(',').filter((tag) => tag.trim() !== '') : value),
      z
        .array(
          plainText(500)
            .trim()
            .min(1)
            .regex(/^[^,]*$/, 'Must not contain commas.'),
        )
        .max(200),
    )
    .default([]),
  madeForKids: Flag.default(false),
})

const content = {
  unsavedId: optionalField(Id).describe('The unsaved post to delete when the change is saved. Must be the caller’s.'),
  media: Media.optional(),
  firstComment: FirstComment.optional().describe(
    'A comment that the account writes below the post when it is published, on networks that have first comments. Of a thread, below its first post.',
  ),
  linkPreview: LinkPreviewInput.optional().describe(
    'The card of a page, on LinkedIn and Bluesky as it is here, on Facebook and Threads as they read the page at `url`. Other networks make their own. Not together with files. Of a thread, on its first post.',
  ),
  youtube: YouTube.nullable().optional().describe('Of posts to YouTube.'),
  tags: Tags.optional(),
  campaign: emptyIsNull(200).optional(),
}

/** Each post of a submission also writes a row of the audit log, and no request writes 200 rows. */
export const maxPosts = 95
export const tooManyPosts = `One request can create at most ${maxPosts} posts (targets × parts of the thread).`

const Part = z.object({ text: Text, media: Media.optional() })
const Destination = z.object({
  provider: Provider,
  target: Target.optional(),
  text: optionalField(Text),
  thread: z
    .array(Part)
    .min(1)
    .max(maxPosts, tooManyPosts)
    .optional()
    .describe('Its own posts, with their own files, in place of the text, thread and media of the request.'),
  media: Media.optional(),
  youtube: YouTube.nullable().optional(),
  firstComment: FirstComment.optional().describe(
    'By default that of the request, on networks that have them. Private videos on YouTube have none.',
  ),
  linkPreview: LinkPreviewInput.optional().describe('By default that of the request, on networks that take one.'),
})

const describedTime =
  'When it is published. With status `draft`: when it is planned to be; it is published once it is scheduled, which the last approval does where the brand requires approvals.'

const RequestReview = optionalField(Flag).describe(
  'Whether to request a review of the draft, and of the others of its thread and submission, in the same transaction.',
)

const draftOnly = 'Only drafts are reviewed before they are scheduled. Send status "draft".'
const notNow = 'A draft isn’t published now. Send its planned time, or status "scheduled".'

/** One submission: a post or a thread, to one network or to several targets (SOC-45). */
export const PostDraft = z
  .object({
    brandId: Id,
    provider: Provider.optional(),
    target: Target.nullable().optional(),
    targets: z.array(Destination).min(1, 'Choose at least one account.').max(50).optional(),
    text: optionalField(Text),
    thread: z.array(Part).min(1).max(maxPosts, tooManyPosts).optional(),
    status: z.enum(['draft', 'scheduled'], 'Must be draft or scheduled.').optional().describe('Default: `draft`.'),
    scheduledAt: optionalWhen(When).describe(describedTime),
    timeZone: optionalField(TimeZone),
    requestReview: RequestReview,
    ...content,
  })
  .superRefine(checkShape)
export type PostDraft = z.output<typeof PostDraft>

export const onlyYouTube = 'Only posts to YouTube have these options. Remove them.'

interface Shape {
  provider?: unknown
  youtube?: unknown
  targets?: { provider?: unknown; text?: unknown; thread?: unknown[]; media?: unknown[]; youtube?: unknown }[]
  text?: unknown
  media?: unknown[]
  thread?: unknown[]
  status?: string
  scheduledAt?: unknown
  requestReview?: unknown
}

function checkShape(draft: Shape, context: z.RefinementCtx): void {
  const broken = (path: PropertyKey[], message: string) => context.addIssue({ code: 'custom', path, message })
  if (!draft.provider === !draft.targets) broken(['targets'], 'Send either provider or targets.')
  if (draft.text !== undefined && draft.thread) broken(['thread'], 'Send either text or thread, not both.')
  if (draft.status === 'scheduled' && !draft.scheduledAt) broken(['scheduledAt'], 'Choose a time to publish.')
  if (draft.status === undefined && draft.scheduledAt)
    broken(['status'], 'Also send status: "scheduled" to publish it at this time, or "draft" to only plan it.')
  if (draft.status === 'draft' && draft.scheduledAt === 'now') broken(['scheduledAt'], notNow)
  if (draft.status === 'scheduled' && draft.requestReview) broken(['requestReview'], draftOnly)
  if (countPosts(draft) > maxPosts) broken(['targets'], tooManyPosts)
  if (draft.thread && draft.media?.length) broken(['media'], 'Send the images with the parts of the thread.')
  if (!draft.targets && draft.text === undefined && !draft.thread) broken(['text'], 'Enter some text.')
  const destinations = draft.targets ?? [draft]
  if (draft.youtube && !destinations.some(({ provider }) => provider === 'youtube')) broken(['youtube'], onlyYouTube)
  draft.targets?.forEach((target, at) => {
    if (target.youtube && target.provider !== 'youtube') broken(['targets', at, 'youtube'], onlyYouTube)
    checkOwnPosts(draft, target, (field, message) => broken(['targets', at, field], message))
    if (!draft.thread && !target.thread && target.text === undefined && draft.text === undefined)
      broken(['text'], 'Enter some text.')
  })
}

const countPosts = ({ targets, thread }: Shape): number =>
  (targets ?? [{}]).reduce((sum, target) => sum + (target.thread ?? thread ?? [null]).length, 0)

/** Where a target has both texts and a thread, it would be unclear which of them is published. */
function checkOwnPosts(
  { thread }: Shape,
  target: NonNullable<Shape['targets']>[number],
  broken: (field: string, message: string) => void,
): void {
  if (target.thread) {
    if (target.text !== undefined) broken('thread', 'Send either text or thread, not both.')
    if (target.media?.length) broken('media', 'Send the images with the parts of the thread.')
  } else if (thread) {
    if (target.text !== undefined)
      broken('text', 'The request has a thread. Send this text as the thread of this target.')
    if (target.media?.length)
      broken('media', 'The request has a thread. Send these images with the thread of this target.')
  }
}

export const Version = optionalField(z.coerce.number().int().min(1))

/** Each post writes a row of the audit log, and no request writes 200 rows. */
const maxChanged = 50

/** In forms, an item is `id:version`. */
const Also = z.preprocess(
  (value) =>
    (Array.isArray(value) ? value : [value]).map((each: unknown) => {
      if (typeof each !== 'string') return each
      const [id, version] = each.split(':')
      return { id, version }
    }),
  z
    .array(z.object({ id: Id.toLowerCase(), version: Version }))
    .max(maxChanged - 1, `Change at most ${maxChanged} posts.`),
)

export const PostEdit = z
  .object({
    id: Id.toLowerCase(),
    also: Also.optional().describe(
      'Other posts of the same submission, which get the same text, files, tags, campaign, status and time. All are changed, or none.',
    ),
    text: Text.optional(),
    target: Target.nullable().optional(),
    ...content,
    status: PostStatus.optional(),
    scheduledAt: z
      .preprocess((value) => (value === '' ? null : value), optionalWhen(When.nullable()))
      .describe(`${describedTime} Null removes the planned time of a draft.`),
    timeZone: optionalField(TimeZone),
    requestReview: RequestReview,
    /** The URL of the post on the network: resolves `outcome_unknown` together with `published`. */
    permalink: optionalField(WebAddress),
    version: Version,
  })
  .refine(
    (edit) =>
      Object.entries(edit).some(
        ([field, value]) =>
          !['id', 'version', 'unsavedId', 'also', 'requestReview'].includes(field) && value !== undefined,
      ),
    'Send at least one field to change.',
  )
  .superRefine(checkEdit)
export type PostEdit = z.output<typeof PostEdit>
/** Of one post. */
export type PostChange = Omit<PostEdit, 'also' | 'requestReview'>

interface Edit {
  status?: string
  scheduledAt?: unknown
  permalink?: unknown
  requestReview?: unknown
  [field: string]: unknown
}

/** What an edit gives to the posts of `also`. */
const sharedFields = ['text', 'media', 'tags', 'campaign', 'status', 'scheduledAt']

/** Refuses fields without effect: reviews of scheduled posts, and fields sent with a permalink. */
function checkEdit(edit: Edit, context: z.RefinementCtx): void {
  const broken = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message })
  const { id: _, version: __, also, status, permalink, ...rest } = edit
  const isTogether = Array.isArray(also) && also.length > 0
  if (status === 'draft' && edit.scheduledAt === 'now') broken('scheduledAt', notNow)
  if (status === 'scheduled' && edit.requestReview) broken('requestReview', draftOnly)
  if (permalink !== undefined && status !== 'published')
    broken('permalink', 'Also send status "published": without it, permalink has no effect.')
  if (isTogether && sharedFields.every((field) => edit[field] === undefined))
    broken('also', `Send at least one field that other posts get, too: ${sharedFields.join(', ')}.`)
  if (status !== 'published') return
  if (isTogether) broken('also', 'Send the URL of each published post on its own.')
  for (const [field, value] of Object.entries(rest))
    if (value !== undefined) broken(field, `${field} can’t be changed together with status "published". Remove it.`)
}

export const PostAction = z.object({ id: Id, version: Version })
export type PostAction = z.output<typeof PostAction>

/** The posts of a thread are one value of a form, separated by commas. */
const Ids = z.preprocess(
  (value) =>
    (Array.isArray(value) ? value : [value]).flatMap((each: unknown) =>
      typeof each === 'string' ? each.split(',') : each === undefined ? [] : [each],
    ),
  z.array(Id.toLowerCase()).min(1, 'Choose at least one post.').max(maxChanged, `Choose at most ${maxChanged} posts.`),
)

export const PostBulkChange = z
  .object({
    action: z.enum(['reschedule', 'publish-now', 'unschedule', 'undo-unschedule', 'delete', 'restore']),
    ids: Ids,
    scheduledAt: optionalWhen(When).describe('With `reschedule`: the new time for all posts.'),
    timeZone: optionalField(TimeZone),
  })
  .superRefine(({ action, scheduledAt, timeZone }, context) => {
    const broken = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    if (action === 'reschedule' && !scheduledAt) broken('scheduledAt', 'Choose a time to publish.')
    if (action !== 'reschedule' && scheduledAt) broken('scheduledAt', `Has no effect with ${action}. Remove it.`)
    if (action !== 'reschedule' && timeZone) broken('timeZone', `Has no effect with ${action}. Remove it.`)
  })
export type PostBulkChange = z.output<typeof PostBulkChange>

export const PostCopy = z.object({
  id: Id,
  brandId: optionalField(Id).describe('The brand of the copies. By default that of the post.'),
  targets: z
    .array(z.object({ provider: Provider, target: Target.optional() }))
    .min(1, 'Choose at least one account.')
    .max(50)
    .optional()
    .describe('One copy for each. By default the account of the post or, in another brand, one on its network.'),
  thread: z.boolean().optional().describe('Whether to copy all posts of its thread, as a thread.'),
  media: z
    .boolean()
    .default(true)
    .describe('Whether to copy its files. For another brand they are copied to its library.'),
})
export type PostCopy = z.output<typeof PostCopy>
