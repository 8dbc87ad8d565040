import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { listOf, paging } from '#lib/paginate.ts'
import { Flag, plainText } from '#lib/text.ts'

export const CatalogView = z.enum(['all', 'favorites', 'hidden'])
export type CatalogView = z.output<typeof CatalogView>

export const CatalogQuery = z.object({
  q: plainText(200).optional().describe('A part of the name or description.'),
  view: CatalogView.default('all').describe('`all` leaves out hidden apps.'),
  ...paging,
})
export type CatalogQuery = z.output<typeof CatalogQuery>

export const CatalogItem = z.object({
  id: Id,
  slug: z.string(),
  name: z.string(),
  description: z.string(),
  icon: z.string().nullable(),
  group: z.string().nullable().describe('The heading under which the app is listed.'),
  firstParty: z.boolean(),
  paid: z.boolean().describe('Whether the app counts toward the plan.'),
  installed: z.boolean(),
  favorite: z.boolean(),
  hidden: z.boolean(),
  webUrl: z.string().nullable(),
  covered: z.boolean().describe('Whether the plan allows installing the app. True for an installed one.'),
  can: z.object({ install: z.boolean(), uninstall: z.boolean(), launch: z.boolean() }),
})
export type CatalogItem = z.output<typeof CatalogItem>

const allowance = z.number().int().nullable()

export const Catalog = listOf(CatalogItem).extend({
  tileSize: z.enum(['small', 'medium', 'large']),
  plan: z
    .object({
      used: z.number().int(),
      allowed: allowance,
      left: allowance,
      standing: z
        .enum(['unpaid', 'ended'])
        .optional()
        .describe('Why less is included than was bought: an unpaid invoice, or a subscription that has ended.'),
    })
    .nullable()
    .describe('Numbers of paid apps; null for unlimited. The plan is null in a personal account.'),
})
export type Catalog = z.output<typeof Catalog>

export const AppRef = z.object({ id: Id })

export const CatalogAppEdit = z.object({ id: Id, favorite: Flag.optional(), hidden: Flag.optional() })

export const CatalogEdit = z.object({ tileSize: z.enum(['small', 'medium', 'large']) })
