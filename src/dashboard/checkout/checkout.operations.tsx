import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { CheckoutProgress } from '#views/dashboard/checkout/progress.tsx'
import { acceptCheckout as accept, offerCheckout } from './accept.ts'
import { checkoutCookie } from './browser.ts'
import { claimCheck } from './check.ts'
import { CheckoutDraft, CheckoutOffer, CheckoutSignIn, CheckoutStarted, CheckoutState } from './contract.ts'
import { describeCheckout } from './describe.ts'
import { checkOpenCheckout } from './jobs.ts'
import { findCheckout } from './rows.ts'
import { signInPayer } from './sign-in.ts'
import { startCheckout } from './start.ts'

const one = z.object({ id: Id })

export const createCheckout = operation({
  route: 'POST /api/checkout',
  summary: 'Start a checkout',
  permission: 'public',
  limit: 'sign-in',
  input: CheckoutDraft,
  output: CheckoutStarted,
  creates: true,
  transaction: false,
  problems: {
    too_many_checkouts: 429,
    too_many_messages: 429,
    payments_unavailable: 503,
    gateway_unavailable: 503,
    outcome_unknown: 502,
    subscription_busy: 409,
  },
  formPage: () => '/checkout',
  example: { package: 'three', seats: 4, email: 'c@example.com', organizationName: 'Corner Bakery' },
  run: async (call) => {
    const { secret, ...started } = await startCheckout(call, call.input)
    return reply(201, started, { cookies: [checkoutCookie(started.id, secret)], next: started.checkoutUrl })
  },
})

export const getCheckout = operation({
  route: 'GET /api/checkout/:id',
  summary: 'Get the state of a checkout',
  permission: 'public',
  input: one,
  output: CheckoutState,
  run: async (call) => {
    const { db, queue, now, input } = call
    const row = await findCheckout(db, input.id)
    // The news of its payment can be late or lost.
    if ((row.state === 'open' || row.state === 'paid') && (await claimCheck(db, row, now())))
      await queue.enqueue(db, checkOpenCheckout, { checkoutId: row.id })
    return describeCheckout(call, row)
  },
  view: (checkout) => <CheckoutProgress checkout={checkout} />,
})

export const signInFromCheckout = operation({
  route: 'POST /api/checkout/:id/sign-in',
  summary: 'Sign in in the browser that paid',
  permission: 'public',
  limit: 'sign-in',
  input: one,
  output: CheckoutSignIn,
  transaction: false,
  problems: { sign_in_by_email: 409, workspace_suspended: 403, account_deletion_pending: 403 },
  run: async (call) => {
    const loginUrl = await signInPayer(call, call.input.id)
    return reply(200, { loginUrl }, { next: loginUrl })
  },
})

export const getCheckoutOffer = operation({
  route: 'GET /api/checkout/:id/offer',
  summary: 'Get whether your organization can use a checkout',
  permission: 'signed-in',
  input: one,
  output: CheckoutOffer,
  run: (call) => offerCheckout(call, call.input.id),
})

export const acceptCheckout = operation({
  route: 'POST /api/checkout/:id/accept',
  summary: 'Accept a paid checkout for your organization',
  permission: 'role:owner',
  input: one,
  output: CheckoutState,
  transaction: false,
  problems: {
    other_email: 403,
    email_unverified: 403,
    owner_required: 403,
    checkout_state: 409,
    gateway_unavailable: 503,
    outcome_unknown: 502,
    payments_unavailable: 503,
    subscription_busy: 409,
    subscription_state: 409,
  },
  run: async (call) => describeCheckout(call, await accept(call, call.input.id)),
  view: (checkout) => <CheckoutProgress checkout={checkout} />,
})
