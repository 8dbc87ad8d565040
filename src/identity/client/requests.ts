import { z } from 'zod'
import { Problem, retryLater, unauthorized } from '#lib/errors.ts'
import { traceHeaders } from '#lib/telemetry.ts'
import type { TokenSource } from '../tokens/service-keys/token-cache.ts'

export const identitySlug = 'platform-identity'
export const dashboardSlug = 'platform-dashboard-api'
const timeoutMs = 5_000

export interface RequestsOptions {
  fetch: (request: Request) => Promise<Response>
  /** Identity's URL; `http://localhost` when it runs in this process. */
  baseUrl: string
  /** The service whose token is used for calls that any service can make. */
  caller?: string
  serviceTokens?: TokenSource
}

interface RequestOptions {
  /** The body. Its presence makes the request a PUT, if there is no method. */
  sent?: object
  method?: 'POST' | 'PUT'
  /** Statuses whose problem is passed on to the caller unchanged. */
  refusals?: readonly number[]
}

export type Requests = ReturnType<typeof createRequests>

/** Failures become 503 `identity_unavailable`. */
export function createRequests({ fetch, baseUrl, caller, serviceTokens }: RequestsOptions) {
  async function fetchJson<Answer>(
    schema: z.ZodType<Answer>,
    path: string,
    headers: Record<string, string>,
    { sent, method = 'PUT', refusals = [] }: RequestOptions = {},
  ): Promise<Answer> {
    const request = new Request(new URL(path, baseUrl), {
      headers: { accept: 'application/json', ...traceHeaders(), ...headers },
      ...(sent && { method, body: JSON.stringify(sent) }),
      signal: AbortSignal.timeout(timeoutMs),
    })
    const response = await fetch(request).catch((cause: unknown) => {
      throw unavailable(cause)
    })
    if (response.status === 401) throw unauthorized(await readDetail(response))
    if (refusals.includes(response.status)) throw await readRefusal(response)
    if (response.status === 422) throw new Problem(422, 'validation_failed', (await readDetail(response)) ?? '')
    if (!response.ok) throw unavailable(new Error(`${path} responded ${response.status}`))
    const read = response.json().then((body) => schema.parseAsync(body))
    return read.catch((cause: unknown) => {
      throw unavailable(cause)
    })
  }

  async function requestAsService<Answer>(
    schema: z.ZodType<Answer>,
    path: string,
    { service = caller, ...more }: RequestOptions & { service?: string } = {},
  ): Promise<Answer> {
    if (!serviceTokens || service === undefined) throw unavailable(new Error('This client has no service tokens'))
    const tokens = serviceTokens(service)
    const tokenOf = (options?: { fresh: true }) =>
      tokens(identitySlug, options).catch((cause: unknown) => {
        throw unavailable(cause)
      })
    const requestWith = (token: string) =>
      fetchJson(schema, path, { authorization: `Bearer ${token}`, 'content-type': 'application/json' }, more)
    return requestWith(await tokenOf()).catch(async (error: unknown) => {
      if (!isUnauthorized(error)) throw error
      // The key that signed the token may have been replaced.
      return requestWith(await tokenOf({ fresh: true })).catch((cause: unknown) => {
        throw isUnauthorized(cause) ? unavailable(cause) : cause
      })
    })
  }

  return { fetchJson, requestAsService }
}

const isUnauthorized = (error: unknown): boolean => error instanceof Problem && error.status === 401

export const unavailable = (cause: unknown) =>
  retryLater(
    503,
    'identity_unavailable',
    'Your sign-in can’t be verified right now, so nothing was changed. Try again in a few seconds.',
    { cause },
  )

const Detail = z.object({ detail: z.string() })
const FieldErrors = z.array(z.object({ path: z.string(), message: z.string() })).optional()
const Refusal = Detail.extend({ code: z.string(), errors: FieldErrors }).loose()

async function readRefusal(response: Response): Promise<Problem> {
  const refusal = Refusal.safeParse(await response.json().catch(() => null))
  if (!refusal.success) return unavailable(new Error(`${response.url} responded ${response.status}`))
  const { code, detail, errors, type: _, status: __, requestId: ___, ...members } = refusal.data
  return new Problem(response.status, code, detail, { members, ...(errors && { errors }) })
}

async function readDetail(response: Response): Promise<string | undefined> {
  const body = Detail.safeParse(await response.json().catch(() => null))
  return body.success ? body.data.detail : undefined
}
