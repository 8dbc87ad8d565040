import type { Stripe } from 'stripe'
import { conflict, notFound, Problem, retryLater } from '#lib/errors.ts'
import { OutboundError } from '#lib/outbound/error.ts'
import { fieldOf } from './params.ts'

/** Of a card that the provider, its network or its bank refused; any other is `card_declined`. */
const cardCodes = [
  'card_declined',
  'authentication_required',
  'expired_card',
  'incorrect_cvc',
  'incorrect_number',
  'incorrect_zip',
  'invalid_cvc',
  'invalid_expiry_month',
  'invalid_expiry_year',
  'invalid_number',
  'processing_error',
] as const

/** Codes of every payment operation, besides the kernel’s. */
export const paymentProblems = {
  organization_required: 400,
  ...Object.fromEntries(cardCodes.map((code) => [code, 402])),
  delegation_refused: 403,
  not_found: 404,
  idempotency_conflict: 409,
  idempotency_in_progress: 409,
  provider_account_changed: 409,
  credential_missing: 422,
  provider_refused: 422,
  provider_limited: 429,
  outcome_unknown: 502,
  provider_failed: 502,
  provider_key_rejected: 502,
  provider_timed_out: 504,
}

interface Sent {
  /** Null for a read. */
  idempotencyKey: string | undefined
  /** Names of our input’s fields. */
  fields: readonly string[]
  /** What the path names. */
  object: string
  apiKey: string
}

/** What the caller is told, never the provider’s own body. Undefined for an error that isn’t the provider’s. */
export function problemOf(Sdk: typeof Stripe, error: unknown, sent: Sent): Problem | undefined {
  if (!(error instanceof Sdk.errors.StripeError)) return undefined
  const { statusCode = 0 } = error
  if (error instanceof Sdk.errors.StripeConnectionError) return connectionProblem(error, sent)
  if (error instanceof Sdk.errors.StripeCardError) return cardProblem(error, sent)
  if (statusCode === 409) return inProgress(error)
  if (error instanceof Sdk.errors.StripeIdempotencyError)
    return conflict(
      'idempotency_conflict',
      'This Idempotency-Key was already used with a different request. Use a new key for a new request.',
    )
  if (statusCode === 429) return limited(error)
  if (statusCode === 401 || statusCode === 403) return rejectedKey(statusCode)
  if (statusCode >= 400 && statusCode < 500) return refusal(error, sent)
  return unknownOrFailed(sent, `Stripe failed (${statusCode || 'no status'}).`, error)
}

/** The provider rejected our key: another one can be tried. */
export const rejectionOf = (Sdk: typeof Stripe, error: unknown): string | null =>
  error instanceof Sdk.errors.StripeAuthenticationError ? 'stripe rejected the key (401).' : null

type StripeError = InstanceType<typeof Stripe.errors.StripeError>

const unsecret = (text: string, { apiKey }: Pick<Sent, 'apiKey'>): string =>
  text.replaceAll(apiKey, '…').slice(0, 1_000)

function cardProblem(error: StripeError, sent: Sent): Problem {
  const code = cardCodes.find((each) => each === error.code) ?? 'card_declined'
  return new Problem(402, code, unsecret(error.message, sent), {
    members: {
      title: 'Payment declined',
      declineCode: error.decline_code || null,
      paymentIntentId: error.payment_intent?.id ?? null,
    },
  })
}

function refusal(error: StripeError, sent: Sent): Problem {
  const { param, code, message } = error
  const path = param === undefined ? '' : fieldOf(param)
  const [field = ''] = path.split('.')
  // The ID is in the path: what doesn’t exist under it is 404.
  const isOurs = field !== 'id' && sent.fields.includes(field)
  if (code === 'resource_missing' && !isOurs) return notFound(sent.object)
  return new Problem(422, 'provider_refused', unsecret(message, sent), {
    ...(isOurs && { errors: [{ path, message: unsecret(message, sent) }] }),
    members: { reason: code ?? null },
  })
}

const inProgress = ({ headers }: StripeError): Problem =>
  new Problem(
    409,
    'idempotency_in_progress',
    'A request with this Idempotency-Key is still in progress, or another one changes the same object. Retry in a moment with the same key.',
    { headers: { 'Retry-After': headers?.['retry-after'] ?? '1' } },
  )

function limited({ headers }: StripeError): Problem {
  const seconds = Number(headers?.['retry-after'])
  const retryAfter = seconds > 0 ? Math.min(Math.ceil(seconds), 3_600) : 2
  return retryLater(429, 'provider_limited', `Stripe’s rate limit is reached. Retry in ${retryAfter} s.`, {
    retryAfter,
  })
}

export const rejectedKey = (status: number): Problem =>
  new Problem(
    502,
    'provider_key_rejected',
    `Stripe rejected the gateway’s key (${status}). An admin has to replace it under the organization’s credentials.`,
    { nothingDone: true },
  )

function connectionProblem(error: StripeError, sent: Sent): Problem {
  const { detail } = error
  if (detail instanceof OutboundError && !detail.mayHaveArrived)
    return new Problem(502, 'provider_failed', `Stripe can’t be reached, and nothing was done. ${detail.message}`, {
      nothingDone: true,
      cause: error,
    })
  if (sent.idempotencyKey === undefined && isLate(detail))
    return new Problem(504, 'provider_timed_out', 'Stripe didn’t respond in time. Try again in a moment.', {
      cause: error,
    })
  if (isTooLarge(detail)) return unknownOrFailed(sent, detail.message, error)
  return unknownOrFailed(sent, 'The connection to Stripe failed before it responded.', error)
}

const isLate = (detail: unknown): boolean => detail instanceof OutboundError && detail.outcome === 'timed_out'

const isTooLarge = (detail: unknown): detail is OutboundError =>
  detail instanceof OutboundError && detail.outcome === 'too_large'

export const unknownOrFailed = (
  { idempotencyKey }: Pick<Sent, 'idempotencyKey'>,
  detail: string,
  cause: unknown,
): Problem =>
  idempotencyKey === undefined
    ? new Problem(502, 'provider_failed', `${detail} Try again in a moment.`, { cause })
    : new Problem(
        502,
        'outcome_unknown',
        `${detail} It may have been processed. Repeat the request with the same Idempotency-Key: it isn’t done twice.`,
        { cause },
      )
