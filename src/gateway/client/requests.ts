import { z } from 'zod'
import type { ServiceTokens } from '#identity'
import { Problem, retryLater } from '#lib/errors.ts'
import { OutboundError, outboundError } from '#lib/outbound/error.ts'
import { requireNoTransaction } from '#lib/outside-calls.ts'
import { traceHeaders } from '#lib/telemetry.ts'

const slug = 'platform-gateway'
const defaultTimeoutMs = 10_000

export interface RequestsOptions {
  fetch: (request: Request) => Promise<Response>
  /** Null when the gateway neither runs in this process nor has a URL. */
  baseUrl: string | null
  /** By the slug of the calling service; undefined when this process can't authenticate to identity. */
  serviceTokens: ((caller: string) => ServiceTokens) | undefined
}

interface GatewayRequest<Answer> {
  /** The slug of the calling service. */
  caller: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  answer: z.ZodType<Answer>
  sent?: object
  /** A part of a file, instead of `sent`. */
  bytes?: Uint8Array<ArrayBuffer>
  /** The same request with the same key takes effect once. */
  idempotencyKey?: string
  /** For which the service calls. */
  organizationId?: string
  /** With the organization's sandbox credential. */
  test?: boolean
  headers?: Record<string, string>
  timeoutMs?: number
  signal?: AbortSignal
  /** Statuses of problems that concern the caller's request, besides the usual ones. */
  passesOn?: readonly number[]
}

interface GatewayResponse<Answer> {
  answer: Answer
  headers: Headers
}

export type GatewayRequests = ReturnType<typeof createGatewayRequests>

/** Problems that concern the caller's request. Others mean that the gateway can't be used. */
const passedOn = new Set([402, 404, 409, 410, 413, 422, 423, 429, 502, 503, 504])

/** Requests as a service. @throws {Problem} as the gateway, and 503 `gateway_unavailable` without its response */
export function createGatewayRequests({ fetch, baseUrl, serviceTokens }: RequestsOptions) {
  async function send<Answer>(request: GatewayRequest<Answer>, token: string): Promise<GatewayResponse<Answer>> {
    const {
      method,
      path,
      answer,
      sent,
      bytes,
      idempotencyKey,
      organizationId,
      test,
      headers,
      timeoutMs = defaultTimeoutMs,
      signal,
      passesOn = [],
    } = request
    const timeout = AbortSignal.timeout(timeoutMs)
    const ended = signal ? AbortSignal.any([signal, timeout]) : timeout
    const sending = new Request(new URL(path, baseUrl ?? undefined), {
      method,
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${token}`,
        ...traceHeaders(),
        ...headers,
        ...(sent && { 'content-type': 'application/json' }),
        ...(bytes && { 'content-type': 'application/octet-stream' }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        ...(organizationId !== undefined && { 'x-organization-id': organizationId }),
        ...(test && { 'x-test-mode': 'true' }),
      },
      ...(sent && { body: JSON.stringify(sent) }),
      ...(bytes && { body: bytes }),
      redirect: 'error',
      signal: ended,
    })
    const respond = async () => {
      const response = await fetch(sending)
      if (!response.ok) throw await readProblem(response, path, passesOn)
      const body: unknown = response.status === 204 ? null : await response.json()
      return { answer: await answer.parseAsync(body), headers: response.headers }
    }
    // A handler in this process doesn't reject when the signal aborts.
    return Promise.race([respond(), rejectOnAbort(ended)]).catch((cause: unknown) => {
      throw cause instanceof Problem ? cause : gatewayUnavailable(outboundError(cause, 'the gateway'))
    })
  }

  async function exchange<Answer>(request: GatewayRequest<Answer>): Promise<GatewayResponse<Answer>> {
    requireNoTransaction('The gateway')
    if (baseUrl === null)
      throw gatewayUnavailable(unsent('The gateway runs elsewhere, and NEXUS_GATEWAY_URL is not set'))
    if (!serviceTokens) throw gatewayUnavailable(unsent('This process has no service tokens: SERVICE_KEY is not set'))
    const tokens = serviceTokens(request.caller)
    const tokenOf = (options?: { fresh: true }) =>
      tokens(slug, options).catch((cause: unknown) => {
        throw gatewayUnavailable(unsent('Identity gave no token for the gateway', cause))
      })
    return send(request, await tokenOf()).catch(async (error: unknown) => {
      if (!isUnauthorized(error)) throw error
      // The key that signed the token may have been replaced.
      return send(request, await tokenOf({ fresh: true })).catch((cause: unknown) => {
        throw isUnauthorized(cause) ? gatewayUnavailable(unsent('The gateway refused the token', cause)) : cause
      })
    })
  }

  return {
    isConfigured: baseUrl !== null,
    exchange,
    request: async <Answer>(request: GatewayRequest<Answer>): Promise<Answer> => (await exchange(request)).answer,
  }
}

const rejectOnAbort = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const fail = () => reject(new Error('The gateway didn’t respond in time', { cause: signal.reason }))
    if (signal.aborted) fail()
    else signal.addEventListener('abort', fail, { once: true })
  })

const gatewayUnavailable = (cause: unknown): Problem =>
  retryLater(
    503,
    'gateway_unavailable',
    'The provider gateway isn’t available right now, so this can’t be done. Try again in a few minutes.',
    { cause },
  )

const unsent = (message: string, cause?: unknown) => new OutboundError('unreachable', message, { cause })

/** Whether the gateway can have acted on a request that threw `gateway_unavailable`. */
export const mayHaveReachedGateway = ({ cause }: Problem): boolean =>
  !(cause instanceof OutboundError) || cause.mayHaveArrived

export const isGatewayUnavailable = (error: unknown): boolean =>
  error instanceof Problem && error.code === 'gateway_unavailable'

const isUnauthorized = (error: unknown): boolean => error instanceof Problem && error.status === 401

const Refusal = z.looseObject({
  code: z.string(),
  detail: z.string(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  type: z.unknown().optional(),
  status: z.unknown().optional(),
  requestId: z.unknown().optional(),
})

async function readProblem(response: Response, path: string, passesOn: readonly number[]): Promise<Problem> {
  const { status } = response
  if (status === 401) return new Problem(401, 'invalid_token', 'The gateway refused the service token.')
  const refusal = Refusal.safeParse(await response.json().catch(() => null))
  if (refusal.success && (passedOn.has(status) || passesOn.includes(status))) {
    const { code, detail, errors, type: _, status: __, requestId: ___, ...members } = refusal.data
    const retryAfter = response.headers.get('retry-after')
    return new Problem(status, code, detail, {
      ...(errors && { errors }),
      members,
      ...(retryAfter !== null && { headers: { 'Retry-After': retryAfter } }),
    })
  }
  return gatewayUnavailable(new Error(`${path} responded with ${status}`))
}
