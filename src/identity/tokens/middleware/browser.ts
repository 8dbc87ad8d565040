import { z } from 'zod'
import { readCookies, setCookie } from '#lib/cookies.ts'
import { Problem, problemDocument, unauthorized } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import { refuseCrossOrigin } from '#lib/request/origin.ts'
import type { IdentityMiddleware } from './middleware.ts'

const Code = z.object({
  sso_code: z.string(),
  redirect_uri: z.string(),
  code_verifier: z.string().optional(),
  replace: z.boolean().optional(),
})
const Credentials = z.object({ email: z.string(), password: z.string(), context: z.string().optional() })

/** Null deletes the cookie’s refresh token, undefined leaves it. */
interface BrowserReply {
  data: object
  refreshToken?: string | null
}

type Route = (identity: IdentityMiddleware, request: Request) => Promise<BrowserReply>

/** A refresh token’s idle lifetime. */
const lifetimeSeconds = 14 * 24 * 3600

/** Undefined for other requests. The refresh token stays in an HttpOnly cookie of the app’s host (IDN-26). */
export async function answerBrowser(identity: IdentityMiddleware, request: Request): Promise<Response | undefined> {
  const url = new URL(request.url)
  const route = routes.get(`${request.method} ${url.pathname}`)
  if (!route) return undefined
  try {
    refuseCrossOrigin(request, url, true, [])
    const { data, refreshToken } = await route(identity, request)
    return Response.json(data, { headers: cookies(refreshToken, url.protocol === 'https:') })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const type = 'application/problem+json'
    return Response.json(problemDocument(error, newId()), { status: error.status, headers: { 'content-type': type } })
  }
}

function cookies(refreshToken: string | null | undefined, https: boolean): HeadersInit {
  if (refreshToken === undefined) return {}
  const maxAge = refreshToken === null ? 0 : lifetimeSeconds
  return { 'set-cookie': setCookie({ name: 'refresh', value: refreshToken ?? '', maxAge }, https) }
}

const withoutRefreshToken = ({ refreshToken, ...data }: { refreshToken?: string | undefined }): BrowserReply => ({
  data,
  refreshToken,
})

const readBody = async <Body>(schema: z.ZodType<Body>, request: Request): Promise<Body> => {
  const { data } = schema.safeParse(await request.json().catch(() => null))
  if (data === undefined)
    throw new Problem(422, 'validation_failed', 'This request doesn’t come from the identity client.')
  return data
}

const requireBearer = ({ headers }: Request): string => {
  const authorization = headers.get('authorization')
  if (authorization === null) throw unauthorized()
  return authorization
}

const readRefreshToken = ({ headers, url }: Request): string | undefined =>
  readCookies(headers.get('cookie')).get(url.startsWith('https:') ? '__Host-refresh' : 'refresh')

const requireRefreshToken = (request: Request): string => {
  const token = readRefreshToken(request)
  if (!token) throw unauthorized('Missing refresh token. Sign in again.', 'invalid_refresh_token')
  return token
}

const routes: ReadonlyMap<string, Route> = new Map<string, Route>([
  [
    'POST /sso/exchange',
    async (identity, request) => {
      const {
        sso_code: code,
        redirect_uri: redirectUri,
        code_verifier: verifier,
        replace,
      } = await readBody(Code, request)
      const refreshToken = readRefreshToken(request)
      return withoutRefreshToken(await identity.exchange({ code, redirectUri, verifier, refreshToken, replace }))
    },
  ],
  [
    'POST /api/auth/login',
    async (identity, request) => withoutRefreshToken(await identity.login(await readBody(Credentials, request))),
  ],
  [
    'POST /api/auth/refresh',
    async (identity, request) => withoutRefreshToken(await identity.refresh(requireRefreshToken(request))),
  ],
  ['GET /api/auth/me', async (identity, request) => ({ data: await identity.me(requireBearer(request)) })],
  [
    'POST /api/auth/logout',
    async (identity, request) => ({ data: await identity.logout(requireBearer(request)), refreshToken: null }),
  ],
])
