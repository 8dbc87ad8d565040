import { z } from 'zod'
import { invalid } from '#lib/errors.ts'
import { optionalField, plainText } from '#lib/text.ts'
import { Instant, wallTime, TimeZone } from '#lib/time.ts'
import { Id } from '#lib/ids.ts'
import { paging } from '#lib/paginate.ts'
import { Alt, Tag, Tags } from '../media/input.ts'
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

/** A wall time that occurs twice means the first. @throws {Problem} 422 unless it exists and is in the future */
export function publishingTime(
  when: Exclude<When, 'next-slot'>,
  timeZone: string,
  now: Date,
  path = 'scheduledAt',
): Date {
  if (when === 'now') return nextSecond(now)
  if (!(when instanceof Date)) requireExistingTime(when.local, timeZone, path)
  const at = when instanceof Date ? when : wallTime(when.local, timeZone)
  if (at > now && at.getUTCFullYear() <= 9999) return at
  throw invalid([{ path, message: 'Choose a time in the future. This one has passed.' }])
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
const Text = plainText(70_000)
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
const WebAddress = plainText(2000).pipe(
  z.url({ protocol: /^https?$/, error: 'Must be a URL, such as https://example.com.' }),
)

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
  madeForKids: z.union([z.boolean(), z.stringbool()], 'Must be true or false.').default(false),
})

const content = {
  unsavedId: optionalField(Id).describe('The unsaved post to delete when the change is saved. Must be the caller’s.'),
  media: Media.optional(),
  firstComment: FirstComment.optional().describe(
    'A comment that the account writes below the post when it is published, on networks that have first comments. Of a thread, below its first post.',
  ),
  linkPreview: z.null('Link previews can’t be set yet. Remove linkPreview.').optional(),
  youtube: YouTube.nullable().optional().describe('Of posts to YouTube.'),
  tags: Tags.optional(),
  campaign: emptyIsNull(200).optional(),
}

const Part = z.object({ text: Text, media: Media.optional() })
const Destination = z.object({
  provider: Provider,
  target: Target.optional(),
  text: optionalField(Text),
  media: Media.optional(),
  youtube: YouTube.nullable().optional(),
  firstComment: FirstComment.optional().describe('By default that of the request, on networks that have them.'),
})

/** Each post of a submission also writes a row of the audit log, and no request writes 200 rows. */
const maxPosts = 95
const tooManyPosts = `One request can create at most ${maxPosts} posts (targets × parts of the thread).`

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
    scheduledAt: optionalWhen(When),
    timeZone: optionalField(TimeZone),
    ...content,
  })
  .superRefine(checkShape)
export type PostDraft = z.output<typeof PostDraft>

export const onlyYouTube = 'Only posts to YouTube have these options. Remove them.'

interface Shape {
  provider?: unknown
  youtube?: unknown
  targets?: { provider?: unknown; text?: unknown; media?: unknown[]; youtube?: unknown }[]
  text?: unknown
  media?: unknown[]
  thread?: unknown[]
  status?: string
  scheduledAt?: unknown
}

function checkShape(draft: Shape, context: z.RefinementCtx): void {
  const broken = (path: PropertyKey[], message: string) => context.addIssue({ code: 'custom', path, message })
  if (!draft.provider === !draft.targets) broken(['targets'], 'Send either provider or targets.')
  if (draft.text !== undefined && draft.thread) broken(['thread'], 'Send either text or thread, not both.')
  if (draft.status === 'scheduled' && !draft.scheduledAt) broken(['scheduledAt'], 'Choose a time to publish.')
  if (draft.status === undefined && draft.scheduledAt)
    broken(['status'], 'Also send status "scheduled": without it, scheduledAt has no effect.')
  if (draft.status === 'draft' && draft.scheduledAt)
    broken(['scheduledAt'], 'A draft has no time. Remove scheduledAt, or send status "scheduled".')
  if ((draft.targets?.length ?? 1) * (draft.thread?.length ?? 1) > maxPosts) broken(['targets'], tooManyPosts)
  if (draft.thread && draft.media?.length) broken(['media'], 'Send the images with the parts of the thread.')
  if (!draft.targets && draft.text === undefined && !draft.thread) broken(['text'], 'Enter some text.')
  const destinations = draft.targets ?? [draft]
  if (draft.youtube && !destinations.some(({ provider }) => provider === 'youtube')) broken(['youtube'], onlyYouTube)
  draft.targets?.forEach((target, at) => {
    if (target.youtube && target.provider !== 'youtube') broken(['targets', at, 'youtube'], onlyYouTube)
    if (draft.thread && target.text !== undefined)
      broken(['targets', at, 'text'], 'A thread has the same text for all targets. Remove the text of this target.')
    if (draft.thread && target.media?.length)
      broken(
        ['targets', at, 'media'],
        'A thread has the same images for all targets. Remove the images of this target.',
      )
    if (!draft.thread && target.text === undefined && draft.text === undefined) broken(['text'], 'Enter some text.')
  })
}

export const Version = optionalField(z.coerce.number().int().min(1))

export const PostEdit = z
  .object({
    id: Id,
    text: Text.optional(),
    target: Target.nullable().optional(),
    ...content,
    status: PostStatus.optional(),
    scheduledAt: optionalWhen(When.nullable()),
    timeZone: optionalField(TimeZone),
    /** The URL of the post on the network: resolves `outcome_unknown` together with `published`. */
    permalink: optionalField(WebAddress),
    version: Version,
  })
  .refine(
    (edit) =>
      Object.entries(edit).some(
        ([field, value]) => !['id', 'version', 'unsavedId'].includes(field) && value !== undefined,
      ),
    'Send at least one field to change.',
  )
  .superRefine(checkEdit)
export type PostEdit = z.output<typeof PostEdit>

interface Edit {
  status?: string
  scheduledAt?: unknown
  permalink?: unknown
  [field: string]: unknown
}

/** Refuses fields without effect: times of drafts, and fields sent with a permalink. */
function checkEdit(edit: Edit, context: z.RefinementCtx): void {
  const broken = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message })
  const { id: _, version: __, status, permalink, ...rest } = edit
  if (status === 'draft' && edit.scheduledAt) broken('scheduledAt', 'A draft has no time. Remove scheduledAt.')
  if (permalink !== undefined && status !== 'published')
    broken('permalink', 'Also send status "published": without it, permalink has no effect.')
  if (status !== 'published') return
  for (const [field, value] of Object.entries(rest))
    if (value !== undefined) broken(field, `${field} can’t be changed together with status "published". Remove it.`)
}

export const PostAction = z.object({ id: Id, version: Version })
export type PostAction = z.output<typeof PostAction>

/** Each post writes a row of the audit log, and no request writes 200 rows. */
const maxChanged = 50

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

const narrowing = {
  provider: optionalField(Provider),
  accountId: optionalField(Id).describe('Posts that were or would be published to this account.'),
  tag: optionalField(Tag),
  authorId: optionalField(Id),
  /** First instant of the range. */
  from: optionalField(Instant),
  /** First instant after the range. */
  to: optionalField(Instant),
}

export const PostFilter = z.object({
  ...paging,
  threadId: optionalField(Id).describe('Lists the posts of this thread by position.'),
  groupId: optionalField(Id).describe('Lists the posts of one submission in the order of its targets.'),
  status: optionalField(PostStatus),
  brandId: optionalField(Id),
  ...narrowing,
  q: optionalField(plainText(200)).describe(
    'Text that the post contains. Each request with this, `provider`, `accountId`, `tag` or `authorId` searches 2,000 posts, so follow `nextCursor` even after an empty page.',
  ),
  order: optionalField(z.enum(['newest', 'soonest'])).describe(
    'Sorts by the scheduled time, or else by the creation time. Default: `newest`. Ignored with `threadId` or `groupId`.',
  ),
})
export type PostFilter = z.output<typeof PostFilter>

/** Which posts of a brand are counted. */
export const PostCountFilter = z.object({
  brandId: Id,
  ...narrowing,
  q: optionalField(plainText(200)).describe('Text that the post contains.'),
})
export type PostCountFilter = z.output<typeof PostCountFilter>

/** The filter of a list, of which one can choose another. */
export const PostOptionsFilter = PostCountFilter.extend({ status: optionalField(PostStatus) })
