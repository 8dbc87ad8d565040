import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { page } from '#lib/page.ts'
import { ignoreInvalid } from '#lib/text.ts'
import { CheckoutProgressPage } from '#views/dashboard/checkout/progress.tsx'
import { CheckoutStart, type CheckoutStartProps } from '#views/dashboard/checkout/start.tsx'
import { CheckoutPackage, CheckoutSeats } from './contract.ts'
import { getCheckout } from './checkout.operations.tsx'
import { findCheckout } from './rows.ts'
import { isPayersBrowser } from './browser.ts'

export const checkoutPage = page({
  path: '/checkout',
  permission: 'public',
  query: z.object({
    package: ignoreInvalid(CheckoutPackage),
    seats: ignoreInvalid(CheckoutSeats),
    left: ignoreInvalid(Id).describe('The checkout whose payment page was left.'),
  }),
  frame: 'plain',
  screen: 'checkout',
  title: 'Create your organization',
  load: async (call): Promise<CheckoutStartProps> => {
    const { input, db, subscriptions } = call
    const { items } = await subscriptions.packages()
    const left = input.left === undefined ? null : await findCheckout(db, input.left).catch(() => null)
    const own = left && isPayersBrowser(call, left) ? left : null
    return {
      prices: items,
      left: left !== null && left.state === 'open',
      values: {
        package: input.package ?? own?.package ?? 'three',
        seats: input.seats ?? own?.seats ?? 1,
        email: own?.email ?? '',
        organizationName: own?.organizationName ?? '',
      },
    }
  },
  view: (props) => <CheckoutStart {...props} />,
})

export const checkoutProgressPage = page({
  path: '/checkout/:id',
  permission: 'public',
  query: z.object({ id: Id }),
  frame: 'plain',
  screen: 'checkout',
  title: 'Your order',
  load: ({ ask, input }) => ask(getCheckout, input),
  view: (checkout) => <CheckoutProgressPage checkout={checkout} />,
})
