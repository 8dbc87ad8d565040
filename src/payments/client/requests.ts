import { z } from 'zod'
import type { ServiceTokens } from '#identity'
import { Problem, retryLater } from '#lib/errors.ts'
import { requireNoTransaction } from '#lib/outside-calls.ts'
import { traceHeaders } from '#lib/telemetry.ts'

const slug = 'platform-pay'
/** A change can ask the provider several times. */
const timeoutMs = 120_000

export interface PaymentsRequestsOptions {
  fetch: (request: Request) => Promise<Response>
  /** Null when payments neither run in this process nor have a URL. */
  baseUrl: string | null
  /** Whether they run in this process. */
  isHere: boolean
  /** Of the service that sells. */
  serviceTokens: ServiceTokens | undefined
}

interface PaymentsRequest<Answer> {
  method: 'GET' | 'POST'
  path: string
  answer: z.ZodType<Answer>
  sent?: object
  idempotencyKey?: string
}

/** Problems that concern the request. Others mean that payments can’t be used. */
const passedOn = new Set([402, 404, 409, 422, 429, 502])

export function createPaymentsRequests({ fetch, baseUrl, serviceTokens }: Omit<PaymentsRequestsOptions, 'isHere'>) {
  async function send<Answer>(request: PaymentsRequest<Answer>, token: string): Promise<Answer> {
    const { method, path, answer, sent, idempotencyKey } = request
    const response = await fetch(
      new Request(new URL(path, baseUrl ?? undefined), {
        method,
        headers: {
          accept: 'application/json',
          authorization: `Bearer ${token}`,
          ...traceHeaders(),
          ...(sent && { 'content-type': 'application/json' }),
          ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        },
        ...(sent && { body: JSON.stringify(sent) }),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      }),
    )
    if (!response.ok) throw await readProblem(response, path)
    return answer.parseAsync(await response.json())
  }

  return async <Answer>(request: PaymentsRequest<Answer>): Promise<Answer> => {
    requireNoTransaction('Payments')
    if (baseUrl === null || !serviceTokens) throw unavailable(new Error('Payments have no URL or this process no key'))
    const sendWith = async (options?: { fresh: true }) => send(request, await serviceTokens(slug, options))
    return sendWith()
      .catch((error: unknown) => {
        if (!isUnauthorized(error)) throw error
        return sendWith({ fresh: true })
      })
      .catch((cause: unknown) => {
        throw cause instanceof Problem && !isUnauthorized(cause) ? cause : unavailable(cause)
      })
  }
}

const isUnauthorized = (error: unknown): boolean => error instanceof Problem && error.status === 401

const unavailable = (cause: unknown): Problem =>
  retryLater(
    503,
    'payments_unavailable',
    'Payments aren’t available right now, so nothing was changed. Try again in a few minutes.',
    { cause },
  )

const Refusal = z.looseObject({
  code: z.string(),
  detail: z.string(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
})

async function readProblem(response: Response, path: string): Promise<Problem> {
  const { status } = response
  if (status === 401) return new Problem(401, 'invalid_token', 'Payments refused the service token.')
  const refusal = Refusal.safeParse(await response.json().catch(() => null))
  if (!refusal.success || !passedOn.has(status)) return unavailable(new Error(`${path} responded with ${status}`))
  const { code, detail, errors, type: _, status: __, requestId: ___, ...members } = refusal.data
  return new Problem(status, code, detail, { ...(errors && { errors }), members })
}
