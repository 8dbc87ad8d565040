import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { lineText } from '#lib/text.ts'
import { Timestamp } from '#lib/time.ts'
import { checkoutPackages, checkoutStates } from '../schema/checkouts.ts'

export const CheckoutPackage = z.enum(checkoutPackages)
export type CheckoutPackage = z.output<typeof CheckoutPackage>

const maxSeats = 10_000

export const CheckoutSeats = z.coerce
  .number('Enter the number of seats, such as 4.')
  .int('Must be a whole number.')
  .min(1, 'Must be at least 1.')
  .max(maxSeats, 'Must be at most 10,000.')

export const CheckoutDraft = z.object({
  package: CheckoutPackage,
  seats: CheckoutSeats.default(1).describe('People and agents. Free has one.'),
  email: z
    .string()
    .trim()
    .toLowerCase()
    .max(254, 'Must have at most 254 characters.')
    .pipe(
      z
        .email('Enter an email address, such as ada@example.com.')
        .refine((address) => !address.endsWith('.invalid'), 'Must not end in .invalid, which can’t receive email.'),
    )
    .describe('Of who will own the organization.'),
  organizationName: lineText(100, 'Enter the organization’s name.').min(1, 'Enter the organization’s name.'),
  website: z.string().max(0, 'Leave this field empty.').optional().describe('Left empty by people.'),
})
export type CheckoutDraft = z.output<typeof CheckoutDraft>

export const CheckoutStarted = z.object({
  id: Id,
  checkoutUrl: z.string().describe('The page to pay on.'),
})

export const CheckoutState = z.object({
  id: Id,
  state: z
    .enum(checkoutStates)
    .describe(
      '`waiting`: an account has the email address, so its owner chooses the organization. `duplicate` and `refused`: ended and refunded.',
    ),
  package: CheckoutPackage,
  seats: z.int(),
  organizationName: z.string(),
  email: z.string().nullable().describe('null in another browser than the one that paid.'),
  checkoutUrl: z.string().nullable().describe('While it isn’t paid, in the browser that began it.'),
  problem: z
    .string()
    .nullable()
    .describe(
      'Why it is `refused`: `email_refused`, `order_unclaimed` or `order_ended`. The email to the address explains `email_refused`.',
    ),
  apps: z.int().nullable().describe('The number of installed apps.'),
  paidAt: Timestamp.nullable(),
  readyAt: Timestamp.nullable(),
  createdAt: Timestamp,
  can: z.object({
    signIn: z.boolean().describe('Whether this browser can sign in without the email.'),
  }),
})
export type CheckoutState = z.output<typeof CheckoutState>

/** Either the organization or the problem is null. */
export const CheckoutOffer = z.object({
  organization: z.string().nullable().describe('The slug of your current organization, if it can use the checkout.'),
  code: z
    .string()
    .nullable()
    .describe('Why it can’t: `other_email`, `email_unverified`, `owner_required` or `checkout_state`.'),
  problem: z.string().nullable().describe('The same in words.'),
})
export type CheckoutOffer = z.output<typeof CheckoutOffer>

export const CheckoutSignIn = z.object({ loginUrl: z.string() })
