import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { listOf, paging } from '#lib/paginate.ts'
import { optionalField } from '#lib/text.ts'
import { Timestamp } from '#lib/time.ts'
import { WebUrl } from './payments.ts'

export const SavedPaymentMethod = z.object({
  id: Id,
  type: z.string().describe('As the provider names it, such as card.'),
  brand: z.string().nullable(),
  lastFour: z.string().nullable(),
  expiry: z
    .object({ month: z.int(), year: z.int(), state: z.enum(['valid', 'soon', 'expired']) })
    .nullable()
    .describe('soon: within 60 days.'),
  isDefault: z.boolean().describe('Of its account at the provider.'),
  isUsable: z
    .boolean()
    .nullable()
    .describe('false: it was saved at another account at the provider. null: the account can’t be read right now.'),
  createdAt: Timestamp,
})
export type SavedPaymentMethod = z.output<typeof SavedPaymentMethod>

export const SavedPaymentMethodFilter = z.object({ id: Id, ...paging })

export const SavedPaymentMethodList = listOf(SavedPaymentMethod).extend({
  customerId: Id,
  can: z.object({ add: z.boolean(), update: z.boolean() }),
})
export type SavedPaymentMethodList = z.output<typeof SavedPaymentMethodList>

export const SetupDraft = z.object({
  id: Id,
  mode: z
    .enum(['page', 'intent'])
    .default('page')
    .describe('page: a page of the provider. intent: for your own page, with the provider’s library.'),
  successUrl: optionalField(WebUrl).describe('Where the page leads afterwards; the customer in the app when not set.'),
  cancelUrl: optionalField(WebUrl),
})

export const NewPaymentMethodSetup = z.object({
  id: z.string().describe('Of the provider.'),
  mode: SetupDraft.shape.mode,
  url: z.string().nullable().optional().describe('Of the page, only returned here.'),
  clientSecret: z
    .string()
    .nullable()
    .optional()
    .describe('With it, your page saves a payment method in the mode intent. Only returned here.'),
  expiresAt: Timestamp.nullable(),
})
