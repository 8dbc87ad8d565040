import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { listOf } from '#lib/paginate.ts'
import { Flag, plainText } from '#lib/text.ts'
import { Timestamp, TimeZone } from '#lib/time.ts'
import {
  AvoidedWords,
  Color,
  Colors,
  HashtagPlacements,
  HashtagPlacementsInput,
  Hashtags,
  Languages,
  Voice,
} from './brand-voice.ts'
import { StoredZone } from './zones.ts'

export const SlotDay = z.coerce.number().int().min(1).max(7)
export const SlotTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Must be a time, such as 09:00.')

const QueueSlot = z.object({
  day: z.int().min(1).max(7).describe('1 is Monday, 7 is Sunday.'),
  time: SlotTime.describe('In the time zone of the brand. It stays the same when clocks change.'),
})
export type QueueSlot = z.output<typeof QueueSlot>

export const SlotClockChange = z.object({
  date: z.iso.date(),
  time: SlotTime.describe('Of the slot.'),
  kind: z
    .enum(['skipped', 'repeated'])
    .describe(
      '`skipped`: the time doesn’t exist on this day, and the slot is as much later. `repeated`: it occurs twice, and the slot is the first one.',
    ),
  at: Timestamp.describe('When the slot is.'),
  localTime: z.string().describe('`at` in the time zone of the brand, such as `2027-03-28T03:30`.'),
})
export type SlotClockChange = z.output<typeof SlotClockChange>

/** Per brand: ten a day. */
export const maxQueueSlots = 70

/** By day and time, each once. */
export function sortSlots(slots: readonly QueueSlot[]): QueueSlot[] {
  const byKey = new Map(slots.map((slot) => [`${slot.day} ${slot.time}`, slot]))
  return [...byKey].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, slot]) => slot)
}

const QueueSlots = z.array(QueueSlot).max(maxQueueSlots).transform(sortSlots)

const policyFields = {
  approvals: z.coerce
    .number('Must be a number.')
    .int()
    .min(0)
    .max(10)
    .describe('Of distinct reviewers, before a post can be scheduled or published. 0: none is required.'),
  allowAuthor: Flag.describe('Whether the approval of the person who wrote the post counts.'),
  countGuests: Flag.describe(
    'Whether approvals of guests with a link count, unless the author created the link and their own doesn’t count.',
  ),
}

export const ReviewPolicy = z.object({
  ...policyFields,
  allowAuthor: policyFields.allowAuthor.default(false),
  countGuests: policyFields.countGuests.default(true),
})
export type ReviewPolicy = z.output<typeof ReviewPolicy>

export const Brand = z.object({
  id: Id,
  name: z.string(),
  slug: z.string(),
  organizationId: Id,
  timeZone: StoredZone,
  logoUrl: z
    .string()
    .nullable()
    .describe('The path of its logo: a WebP image of at most 320 × 320 pixels. Null without one.'),
  colors: z.array(z.string()),
  contrastsOnWhite: z
    .array(z.number())
    .describe('The contrast ratio of each color on white, as WCAG 2.2 defines it. Text needs 4.5.'),
  voice: z.string().nullable(),
  avoidedWords: z.array(z.string()),
  languages: z.array(z.string()),
  defaultHashtags: z.array(z.string()),
  hashtagPlacements: HashtagPlacements.describe('Networks that are left out have `text`.'),
  queueSlots: z.array(QueueSlot),
  slotClockChanges: z
    .array(SlotClockChange)
    .describe('Slots that a daylight-saving change of the next 366 days skips or repeats.'),
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

/** The cookie with the brand that the browser last visited. */
export const brandCookie = 'brand'

export const BrandSummary = Brand.pick({ id: true, name: true, timeZone: true })
export type BrandSummary = z.output<typeof BrandSummary>

/** As in the menu of brands; its logo only for those who can read the brand. */
export const BrandInMenu = Brand.pick({ id: true, name: true, timeZone: true, logoUrl: true })
export type BrandInMenu = z.output<typeof BrandInMenu>

/** The brand that a person works with, and those they can switch to. */
export const CurrentBrand = z.object({
  brand: BrandInMenu.nullable(),
  brands: z.array(BrandInMenu).describe('The first 20 brands by name, and the current one.'),
  can: z.object({ createBrand: z.boolean() }),
})
export type CurrentBrand = z.output<typeof CurrentBrand>

const brandFields = {
  name: plainText(80).trim().min(1, 'Enter a name.'),
  slug: z
    .string()
    .regex(
      /^[a-z0-9](?:[a-z0-9-]{0,46}[a-z0-9])?$/,
      'Must contain only lowercase letters, digits and hyphens, and start and end with a letter or digit.',
    )
    .optional(),
  voice: Voice.optional().describe('How the brand sounds, for people who write and for writing help. Null for none.'),
  avoidedWords: AvoidedWords.optional().describe('Words that the brand doesn’t use.'),
  languages: Languages.optional().describe('BCP 47 codes of the languages that the brand writes in.'),
  colors: Colors.optional().describe('Up to 8, each once. Generated images use them when asked to.'),
  defaultHashtags: Hashtags.optional().describe(
    'Suggested in each new post. They aren’t added unless its author adds them.',
  ),
  hashtagPlacements: HashtagPlacementsInput.optional().describe(
    'Where the hashtags are suggested, by network: `text` (its end), `comment` (the first comment) or `none`.',
  ),
  queueSlots: QueueSlots.optional().describe(
    'Weekly times: a post with `scheduledAt: "next-slot"` takes the next free one.',
  ),
  reviewPolicy: ReviewPolicy.optional().describe('Applies to scheduled posts, too.'),
}

export const BrandDraft = z.object({ ...brandFields, timeZone: TimeZone.default('UTC') })
export type BrandDraft = z.output<typeof BrandDraft>

export const BrandEdit = z
  .object({
    ...brandFields,
    name: brandFields.name.optional(),
    timeZone: TimeZone.optional(),
    reviewPolicy: z
      .object(policyFields)
      .partial()
      .optional()
      .describe('Applies to scheduled posts, too. Fields that are left out stay. API keys and apps can’t change it.'),
    id: Id,
  })
  .refine((edit) => Object.keys(edit).length > 1, 'Send at least one field to change.')
export type BrandEdit = z.output<typeof BrandEdit>

export const BrandColor = z.object({ id: Id, color: Color })
export type BrandColor = z.output<typeof BrandColor>

export const BrandTransfer = z.object({ brandId: Id, targetOrganizationId: Id })
export type BrandTransfer = z.output<typeof BrandTransfer>

/** An organization of the caller's to which a brand can be transferred. */
export const TransferTarget = z.object({ id: Id, name: z.string() })
export type TransferTarget = z.output<typeof TransferTarget>

/** A future queue slot. */
export const Slot = z.object({
  at: Timestamp,
  posts: z.int().describe('Scheduled posts at this time. A slot without posts is free.'),
})
export type Slot = z.output<typeof Slot>

export const SlotList = z.object({
  items: z.array(Slot).describe('The next slots, soonest first.'),
  nextFree: Timestamp.nullable().describe('The next slot without a post. Null without one.'),
  timeZone: StoredZone,
})
export type SlotList = z.output<typeof SlotList>
