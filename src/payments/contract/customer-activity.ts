import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { listOf, paging } from '#lib/paginate.ts'
import { optionalField, plainText } from '#lib/text.ts'
import { Timestamp } from '#lib/time.ts'

export const CustomerActivity = z.object({
  id: Id,
  source: z.enum(['order', 'invoice', 'customer']),
  kind: z
    .string()
    .describe('Of an order as in its timeline; `invoice` or `credit_note` that was issued; the operation of a change.'),
  facts: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
  currency: z.string().nullable(),
  order: z.object({ id: Id, number: z.string() }).nullable(),
  invoice: z.object({ id: Id, number: z.string().nullable() }).nullable(),
  by: Id.nullable(),
  byName: z.string().nullable(),
  at: Timestamp,
})
export type CustomerActivity = z.output<typeof CustomerActivity>

export const CustomerActivityFilter = z.object({ id: Id, ...paging })

export const CustomerActivityList = listOf(CustomerActivity).extend({ customerId: Id })
export type CustomerActivityList = z.output<typeof CustomerActivityList>

export const CustomerChoiceFilter = z.object({
  q: optionalField(plainText(200).trim().min(1)).describe('Beginnings of words of the name, email or tax number.'),
  customerId: optionalField(Id).describe('That is chosen: it is the first one.'),
})

export const CustomerChoice = z.object({ id: Id, name: z.string().nullable(), email: z.string().nullable() })
export type CustomerChoice = z.output<typeof CustomerChoice>

export const CustomerChoiceList = z.object({
  items: z.array(CustomerChoice).describe('At most 8, of active customers.'),
  chosenId: Id.nullable(),
})
export type CustomerChoiceList = z.output<typeof CustomerChoiceList>
