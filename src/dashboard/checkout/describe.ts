import type { z } from 'zod'
import type { Call } from '#lib/call.ts'
import { isPayersBrowser } from './browser.ts'
import type { CheckoutState } from './contract.ts'
import type { CheckoutRow } from './rows.ts'
import { canSignIn } from './sign-in.ts'

/** The others are about the account that has the email address, which anyone can enter. */
const publicProblems = ['not_started', 'order_ended', 'order_unclaimed']

const publicProblemOf = (problem: string | null): string | null =>
  problem === null || publicProblems.includes(problem) ? problem : 'email_refused'

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
    problem: publicProblemOf(problem),
    apps,
    paidAt,
    readyAt,
    createdAt,
    can: {
      signIn: isPayer && canSignIn(row, call.now()),
    },
  }
}
