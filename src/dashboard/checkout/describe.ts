import type { z } from 'zod'
import type { Call } from '#lib/call.ts'
import { isPayersBrowser } from './browser.ts'
import type { CheckoutState } from './contract.ts'
import type { CheckoutRow } from './rows.ts'
import { canSignIn } from './sign-in.ts'

/** What strangers learn of it has no personal data but the organization’s name. */
export function describeCheckout(
  call: Pick<Call, 'request' | 'config' | 'now'>,
  row: CheckoutRow,
): z.input<typeof CheckoutState> {
  const isPayer = isPayersBrowser(call, row)
  const { id, state, package: name, seats, organizationName, problem, apps, paidAt, readyAt, createdAt } = row
  return {
    id,
    state,
    package: name,
    seats,
    organizationName,
    email: isPayer ? row.email : null,
    checkoutUrl: isPayer && state === 'open' ? row.checkoutUrl : null,
    problem,
    apps,
    paidAt,
    readyAt,
    createdAt,
    can: {
      signIn: isPayer && canSignIn(row, call.now()),
    },
  }
}
