import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { listOf } from '#lib/paginate.ts'
import { plainText } from '#lib/text.ts'
import { Timestamp, TimeZone } from '#lib/time.ts'
import { StoredZone } from './zones.ts'

const QueueSlot = z.object({ day: z.int().min(1).max(7), time: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/) })
const ReviewPolicy = z.object({ approvals: z.int().min(0).max(10) })

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

const notYet = (what: string, field: string) => `${what} yet: leave ${field} out.`

function none(message: string) {
  return z
    .array(z.unknown(), message)
    .max(0, message)
    .transform((): [] => [])
    .optional()
}

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
