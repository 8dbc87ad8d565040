import { z } from 'zod'
import type { Actor, Permission } from '#lib/actor.ts'
import { authorize } from '#lib/authorize.ts'
import { Problem } from '#lib/errors.ts'
import { createIdentityClient } from '../client.ts'
import { SignedIn, Tokens } from '../contract.ts'
import { Exchanged } from '../sso/contract.ts'

// The identity middleware of service backends (IDN-17): what they need of identity, over HTTP alone.

export { Problem } from '#lib/errors.ts'
export type { Actor, Permission } from '#lib/actor.ts'
export { answerBrowser } from './browser.ts'

interface Options {
  /** Where identity answers. */
  identityUrl: string
  /** The slug of the service that asks: permissions such as `orders:read` are those of it. */
  service: string
  fetch?: (request: Request) => Promise<Response>
}

export type IdentityMiddleware = ReturnType<typeof createIdentityMiddleware>

/** Milliseconds after which identity counts as away. */
const timeoutMs = 5_000

/** What a service asks of identity. Everything throws a `Problem`: identity's own, or 503 while it is away. */
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
    /** Signs somebody in by password, in a context that has this service (IDN-14). */
    login: (credentials: { email: string; password: string; context?: string }) =>
      post(SignedIn, '/api/auth/login', { ...credentials, service_id: service }),
    /**
     * A one-time code in exchange for tokens; `verifier` for a code that was asked for with PKCE. Throws 409
     * `signed_in_as_another` for a hand-off to a browser whose `refreshToken` is of another person, until they agree:
     * `replace`.
     */
    exchange: (code: {
      code: string
      redirectUri: string
      verifier?: string
      refreshToken?: string
      replace?: boolean
    }) =>
      post(Exchanged, '/sso/exchange', {
        sso_code: code.code,
        redirect_uri: code.redirectUri,
        code_verifier: code.verifier,
        refresh_token: code.refreshToken,
        replace: code.replace,
        service_id: service,
      }),
    /** New tokens for a refresh token, which is good for one use. */
    refresh: (refreshToken: string) => post(Tokens, '/api/auth/refresh', { refreshToken }),
    /** Ends the session that a request's bearer belongs to. */
    logout: (authorization: string) => post(z.object({}), '/api/auth/logout', {}, authorization),
    /** The person behind a bearer, and where they can work. */
    me: (authorization: string) => client.me({ authorization }),
    /** Who sends a request. Never read a token yourself: only identity knows whether it still holds. */
    validate,
    /** Who sends a request, when they may. Throws 401, 403 naming the permission, and 503. */
    require: async (request: Request, permission: Permission): Promise<Actor> => {
      const actor = await validate(request)
      authorize(actor, permission, await client.serviceId(service))
      return actor
    },
  }
}

const identityUnavailable = (cause: unknown) =>
  new Problem(503, 'identity_unavailable', 'Sign-in isn’t available at this moment. Try again soon.', {
    headers: { 'Retry-After': '5' },
    cause,
  })

const ProblemBody = z.looseObject({ code: z.string(), detail: z.string() })

/** What identity refused, as it said it. */
function toProblem({ status }: Response, answer: unknown): Problem {
  const { data, error } = ProblemBody.safeParse(answer)
  if (!data || status >= 500) return identityUnavailable(error)
  const { code, detail, type: _type, title: _title, status: _status, requestId: _id, ...members } = data
  return new Problem(status, code, detail, { members })
}
