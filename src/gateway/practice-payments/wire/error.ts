interface StripeErrorFacts {
  type?: 'invalid_request_error' | 'card_error' | 'idempotency_error' | 'api_error'
  code?: string
  decline_code?: string
  param?: string
  payment_intent?: object
}

/** A refusal that changes nothing. */
export class StripeError extends Error {
  readonly status: number
  readonly facts: StripeErrorFacts

  constructor(status: number, message: string, facts: StripeErrorFacts = {}) {
    super(message)
    this.status = status
    this.facts = facts
  }
}

/** A refusal whose effects remain, such as the failed charge of a declined card. */
export class Refusal {
  readonly status: number
  readonly error: Readonly<Record<string, unknown>>

  constructor(status: number, error: Readonly<Record<string, unknown>>) {
    this.status = status
    this.error = error
  }
}

export const invalidRequest = (message: string, param?: string, code?: string, payment_intent?: object): StripeError =>
  new StripeError(400, message, {
    ...(param && { param }),
    ...(code && { code }),
    ...(payment_intent && { payment_intent }),
  })

export const resourceMissing = (noun: string, id: string, param = 'id'): StripeError =>
  new StripeError(param === 'id' ? 404 : 400, `No such ${noun}: '${id}'`, { code: 'resource_missing', param })

const docs = 'https://docs.stripe.com/error-codes'

export function errorBody({ message, facts }: StripeError, requestId: string): Record<string, unknown> {
  const { type = 'invalid_request_error', ...rest } = facts
  return formatError({ type, message, ...rest }, requestId)
}

export const formatError = (error: Readonly<Record<string, unknown>>, requestId: string) => {
  const code = typeof error['code'] === 'string' ? error['code'] : null
  return {
    error: {
      ...error,
      ...(code && { doc_url: `${docs}/${code.replaceAll('_', '-')}` }),
      request_log_url: `https://dashboard.stripe.com/test/logs/${requestId}?t=0`,
    },
  }
}
