import { z } from 'zod'
import type { Actor, Permission } from '#lib/actor.ts'
import { authorize } from '#lib/authorize.ts'
import { Problem, retryLater } from '#lib/errors.ts'
import { createIdentityClient } from '../../client/create-client.ts'
import { SignInResult, Tokens } from '../../contract.ts'
import { ExchangeResult } from '../../oauth/contract.ts'

// The identity middleware for service backends (IDN-17), over HTTP alone.

interface Options {
  identityUrl: string
  /** The slug of the calling service, whose permissions `require` checks, such as `orders:read`. */
  service: string
  fetch?: (request: Request) => Promise<Response>
}

export type IdentityMiddleware = ReturnType<typeof createIdentityMiddleware>

const timeoutMs = 5_000

/** @throws Problem from every method: identity’s own, or 503 when it is unreachable */
export function createIdentityMiddleware({ identityUrl, service, fetch = globalThis.fetch }: Options) {
  const client = createIdentityClient({ fetch, baseUrl: identityUrl })

  async function post<Answer>(schema: z.ZodType<Answer>, path: string, body: object, bearer?: string): Promise<Answer> {
    const headers = { accept: 'application/json', 'content-type': 'application/json' }
    const request = new Request(new URL(path, identityUrl), {
      method: 'POST',
      headers: bearer === undefined ? headers : { ...headers, authorization: bearer },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    })
    const response = await fetch(request).catch((cause: unknown) => {
      throw identityUnavailable(cause)
    })
    const answer: unknown = await response.json().catch(() => null)
    if (!response.ok) throw toProblem(response, answer)
    return schema.parse(answer)
  }

  const validate = (request: Request): Promise<Actor> => {
    const [authorization, cookie] = ['authorization', 'cookie'].map((name) => request.headers.get(name) ?? undefined)
    return client.validate({ authorization, cookie, audience: service })
  }

  return {
    /** In a context that has this service (IDN-14). */
    login: (credentials: { email: string; password: string; context?: string }) =>
      post(SignInResult, '/api/auth/login', { ...credentials, service_id: service }),
    /** `verifier` for PKCE. @throws 409 `signed_in_as_another_account` without `replace` */
    exchange: (code: {
      code: string
      redirectUri: string
      verifier?: string
      refreshToken?: string
      replace?: boolean
    }) =>
      post(ExchangeResult, '/sso/exchange', {
        sso_code: code.code,
        redirect_uri: code.redirectUri,
        code_verifier: code.verifier,
        refresh_token: code.refreshToken,
        replace: code.replace,
        service_id: service,
      }),
    /** It works once. */
    refresh: (refreshToken: string) => post(Tokens, '/api/auth/refresh', { refreshToken }),
    logout: (authorization: string) => post(z.object({}), '/api/auth/logout', {}, authorization),
    me: (authorization: string) => client.me({ authorization }),
    /** The caller of a request. Never decode tokens yourself: only identity knows whether they were revoked. */
    validate,
    /** @throws 401; 403 naming the permission; 503 */
    require: async (request: Request, permission: Permission): Promise<Actor> => {
      const actor = await validate(request)
      authorize(actor, permission, await client.serviceId(service))
      return actor
    },
  }
}

const identityUnavailable = (cause: unknown) =>
  retryLater(503, 'identity_unavailable', 'Sign-in is temporarily unavailable. Try again later.', { cause })

const ProblemBody = z.looseObject({ code: z.string(), detail: z.string() })

function toProblem({ status }: Response, answer: unknown): Problem {
  const { data, error } = ProblemBody.safeParse(answer)
  if (!data || status >= 500) return identityUnavailable(error)
  const { code, detail, type: _type, title: _title, status: _status, requestId: _id, ...members } = data
  return new Problem(status, code, detail, { members })
}
