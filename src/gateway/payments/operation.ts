import type { Stripe } from 'stripe'
import { operation, type ParamsOf, type Schema, type TypedOperation } from '#lib/operation.ts'
import { paymentProblems } from './problems.ts'
import { callProvider } from './run.ts'

interface PaymentOperation<Route, Given, Input, Returned, Result> {
  route: Route & `${'GET' | 'POST' | 'PATCH' | 'DELETE'} /platform/payments/${string}`
  summary: string
  /** What the path names, for a 404. */
  object: string
  /** Of a write: it only ends something, which is also done for an organization that is suspended or deleted. */
  ends?: boolean
  input: Schema<Given, Input>
  output: Schema<Returned, Result>
  send(stripe: Stripe, input: Input, options: Stripe.RequestOptions): Promise<Returned>
}

/** Reads and writes of the payment provider. Only the payment service can call them (GTW-42). */
export const paymentOperation = <
  const Route extends string,
  Given,
  Input extends Record<ParamsOf<Route>, unknown>,
  Returned,
  Result,
>({
  route,
  summary,
  object,
  ends,
  input,
  output,
  send,
}: PaymentOperation<Route, Given, Input, Returned, Result>): TypedOperation<Given, Result> =>
  operation<Route, 'service', Given, Input, Returned, Result>({
    route,
    summary,
    permission: 'service',
    callers: ['platform-pay'],
    input,
    output,
    // It calls another server, and the payment service keeps the record of what it changed.
    transaction: false,
    audit: false,
    limit: null,
    // Two calls: the quantity of a subscription is changed after its item is read.
    timeout: ({ config }) => 2 * config.PAYMENTS_TIMEOUT_MS + 5_000,
    problems: paymentProblems,
    run: (call) =>
      callProvider(call, {
        name: call.operation,
        object,
        writes: !isRead(route),
        // Its customers’ money is booked whatever it may do itself.
        evenSuspended: ends ?? isRead(route),
        input: call.input,
        account: accountOf(call.input),
        send: (stripe, options) => send(stripe, call.input, options),
      }),
  })

const isRead = (route: string): boolean => route.startsWith('GET ')

const accountOf = (input: object): string | undefined =>
  'account' in input && typeof input.account === 'string' ? input.account : undefined
