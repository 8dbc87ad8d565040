import type { Stripe } from 'stripe'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { Problem } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import { logFault } from '#lib/log/fault.ts'
import { callWithCredential } from '../credentials/use.ts'
import { accountIn, chooseCredential } from './choose-credential.ts'
import { payerIn, type PaymentPayer } from './payer.ts'
import { providerKeyOf } from './idempotency.ts'
import { problemOf, rejectionOf, unknownOrFailed } from './problems.ts'
import { createClient, loadStripe, type StripeCredential } from './stripe.ts'

export type PaymentCaller = Call<unknown, Actor>

interface PaymentCall<Result> {
  name: string
  /** What the path names, for a 404. */
  object: string
  writes: boolean
  evenSuspended: boolean
  input: object
  /** The connected account that it is made for. */
  account: string | undefined
  send(stripe: Stripe, options: Stripe.RequestOptions): Promise<Result>
}

/** Calls the provider for the organization that the caller names, and counts the request. @throws {Problem} */
export async function callProvider<Result>(call: PaymentCaller, payment: PaymentCall<Result>): Promise<Result> {
  const { name, object, writes, evenSuspended, input, account, send } = payment
  const attribution = { ...(await payerIn(call, { evenSuspended })), test: isTest(call) }
  const idempotencyKey = writes
    ? providerKeyOf(call.request.headers, attribution.organizationId ?? 'platform')
    : undefined
  const wanted = accountIn(call.request.headers)
  const [credential, Sdk] = await Promise.all([chooseCredential(call, attribution, wanted), loadStripe()])
  const options = { ...(idempotencyKey && { idempotencyKey }), ...(account && { stripeAccount: account }) }
  const since = performance.now()
  let used = credential
  const count = (problem: Problem | null) => countRequest(call, { name, attribution, credential: used, problem, since })
  try {
    const result = await callWithCredential(call, credential, {
      attempt: (key) => {
        used = key
        return send(createClient(Sdk, call, key, attribution.organizationId ?? undefined), options)
      },
      rejectionOf: (error) => rejectionOf(Sdk, error),
    })
    count(null)
    return result
  } catch (error) {
    if (error instanceof Problem) throw error
    const { apiKey } = used.secret
    const known = problemOf(Sdk, error, { idempotencyKey, fields: Object.keys(input), object, apiKey })
    if (!known) logFault(call.log, 'reading a response of the payment provider', error, { operation: name })
    const problem = known ?? unknownOrFailed({ idempotencyKey }, 'Stripe’s response can’t be read.', error)
    count(problem)
    throw problem
  }
}

/** The sandbox of the provider: always in staging, elsewhere when the caller asks for it. */
export const isTest = ({ config, request }: PaymentCaller): boolean =>
  config.ATRIUM_ENV === 'staging' || request.headers.get('X-Test-Mode') === 'true'

interface Counted {
  name: string
  attribution: PaymentPayer
  credential: StripeCredential
  problem: Problem | null
  since: number
}

function countRequest(
  { ledger, log, now, request }: PaymentCaller,
  { name, attribution, credential, problem, since }: Counted,
): void {
  const { organizationId, applicationId, apiKeyId, userId } = attribution
  if (organizationId === null) return
  const row = {
    id: newId(),
    organizationId,
    requestId: request.id,
    applicationId,
    apiKeyId,
    userId,
    family: 'requests' as const,
    provider: credential.provider,
    model: null,
    unit: 'request',
    quantity: 1,
    costNanoUsd: 0n,
    certainty: 'exact' as const,
    paidBy: credential.level === 'organization' ? ('organization' as const) : ('platform' as const),
    priceDate: null,
    occurredAt: now(),
    metadata: { operation: name },
    details: {
      latencyMs: Math.round(performance.now() - since),
      status: problem?.status ?? 200,
      errorCode: problem?.code ?? null,
    },
  }
  ledger.commit([row], { durable: false }).catch((error: unknown) => {
    logFault(log, 'usage of a payment call', error, { request: request.id })
  })
}
