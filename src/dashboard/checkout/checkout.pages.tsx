import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { page } from '#lib/page.ts'
import { ignoreInvalid } from '#lib/text.ts'
import { CheckoutProgressPage } from '#views/dashboard/checkout/progress.tsx'
import { CheckoutStart, type CheckoutStartProps } from '#views/dashboard/checkout/start.tsx'
import { CheckoutPackage, CheckoutSeats } from './contract.ts'
import { getCheckout, getCheckoutOffer } from './checkout.operations.tsx'

export const checkoutPage = page({
  path: '/checkout',
  permission: 'public',
  query: z.object({
    package: ignoreInvalid(CheckoutPackage),
    seats: ignoreInvalid(CheckoutSeats),
    left: ignoreInvalid(Id).describe('The checkout whose payment page was left.'),
  }),
  frame: 'checkout',
  title: 'Create your organization',
  description: 'Choose a package, pay, and sign in to your new organization seconds later.',
  load: async (call): Promise<CheckoutStartProps> => {
    const { input, ask, subscriptions } = call
    const [{ items }, left] = await Promise.all([
      subscriptions.packages(),
      input.left === undefined ? null : ask(getCheckout, { id: input.left }).catch(() => null),
    ])
    // Only the browser that started it gets the address.
    const own = left && left.email !== null ? left : null
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
  view: (props, { context }) => <CheckoutStart {...props} refused={context.refusedForm} />,
})

export const checkoutProgressPage = page({
  path: '/checkout/:id',
  permission: 'public',
  query: z.object({ id: Id }),
  frame: 'checkout',
  title: 'Your order',
  load: async ({ ask, actor, input }) => {
    const checkout = await ask(getCheckout, input)
    const isOffered = checkout.state === 'waiting' && actor && !actor.service
    return { checkout, offer: isOffered ? await ask(getCheckoutOffer, input) : null }
  },
  view: (props) => <CheckoutProgressPage {...props} />,
})
