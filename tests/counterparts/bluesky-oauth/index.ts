import { z } from 'zod'
import type { Call } from '../wire/call.ts'
import { challengeOf, ConsentError, consentPage, redirectTo, secret, type Consent } from '../wire/grants.ts'
import { startWire, type AnsweredFault, type Wire } from '../wire/wire.ts'
import { authenticateClient, loadClient, type Reachable } from './client.ts'
import { invalid, oauthError, oauthShapes, tokenRefused } from './errors.ts'
import { Nonces } from './nonces.ts'
import { checkProof } from './proof.ts'
import { Sessions, type Session } from './sessions.ts'

type Route =
  | 'auth GET /.well-known/oauth-authorization-server'
  | 'auth POST /oauth/par'
  | 'auth GET /oauth/authorize'
  | 'auth POST /oauth/token'
  | 'auth POST /oauth/revoke'

/** An authorization server of the AT Protocol on loopback (atproto.com/specs/oauth), as an entryway is one. */
export interface AuthorizationCounterpart extends Wire<'auth', Route> {
  issuer: string
  sessions: Sessions
  nonces: Nonces
  /** Origins of client documents that it can fetch. */
  reachable: Reachable
  /** False facts for the next responses. */
  lies: { sub?: string; iss?: string; scope?: string; expires_in?: number; metadata?: Record<string, unknown> }
  /** Answers the consent page as the account; returns the redirect address. @throws {ConsentError} */
  consent(authorizeUrl: string, did: string, consent?: Consent): string
}

const scopes = ['atproto', 'transition:generic', 'transition:chat.bsky', 'transition:email']
const assertion = { client_assertion_type: z.string().optional(), client_assertion: z.string().optional() }
const clientId = z.string().min(1)

const ParForm = z.strictObject({
  client_id: clientId,
  ...assertion,
  response_type: z.literal('code'),
  code_challenge: z.string().length(43),
  code_challenge_method: z.literal('S256'),
  state: z.string().min(16),
  redirect_uri: z.url(),
  scope: z.string(),
  login_hint: z.string().min(1).optional(),
})
const TokenForm = z.discriminatedUnion('grant_type', [
  z.strictObject({
    grant_type: z.literal('authorization_code'),
    client_id: clientId,
    ...assertion,
    code: z.string().min(1),
    redirect_uri: z.url(),
    code_verifier: z.string().min(43).max(128),
  }),
  z.strictObject({
    grant_type: z.literal('refresh_token'),
    client_id: clientId,
    ...assertion,
    refresh_token: z.string().min(1),
  }),
])
const RevokeForm = z.strictObject({ client_id: clientId, ...assertion, token: z.string().min(1) })

interface Pushed {
  form: z.output<typeof ParForm>
  jkt: string
  keyId: string | null
  expiresAt: number
}
interface Granted extends Pushed {
  did: string
  scopes: string[]
}

const requestMs = 5 * 60_000
const codeMs = 60_000
const prefix = 'urn:ietf:params:oauth:request_uri:'

const shapes = Object.fromEntries(
  Object.entries(oauthShapes).map(([fault, shape]) => [fault, () => shape()]),
) as Record<AnsweredFault, (typeof oauthShapes)['unauthorized']>

/** Starts it on a free port. `dids`: of the accounts that can sign in, the first by default. */
export function startAuthorizationServer(dids: () => string[]): AuthorizationCounterpart {
  const pushed = new Map<string, Pushed>()
  const codes = new Map<string, Granted>()
  const challenges = new Set<string>()
  const usedAssertions = new Set<string>()
  const nonces = new Nonces()
  const reachable: Reachable = new Map()
  const lies: AuthorizationCounterpart['lies'] = {}

  /** @throws {Refusal} */
  async function readKeys(call: Call, form: { client_id: string }) {
    const jkt = await checkProof(call.headers.get('dpop'), nonces, { method: call.method, url: issuer + call.path })
    if (typeof jkt !== 'string') throw oauthError(jkt.error, jkt.message)
    return { jkt, ...(await authenticate(form)) }
  }

  /** @throws {Refusal} */
  async function authenticate(form: { client_id: string }) {
    const client = await loadClient(form.client_id, reachable)
    return { client, keyId: await authenticateClient(client, form, { issuer, used: usedAssertions }) }
  }

  async function par(call: Call): Promise<Response> {
    const form = call.form(ParForm)
    const { jkt, client, keyId } = await readKeys(call, form)
    if (!client.allowsRedirect(form.redirect_uri)) throw oauthError('invalid_request', 'Invalid redirect_uri')
    const requested = form.scope.split(' ')
    if (!requested.includes('atproto')) throw oauthError('invalid_scope', 'The scope atproto is required')
    const strange = requested.find((scope) => !scopes.includes(scope) || !client.scopes.includes(scope))
    if (strange !== undefined) throw oauthError('invalid_scope', `The scope ${strange} is not allowed`)
    if (challenges.has(form.code_challenge)) throw oauthError('invalid_request', 'code_challenge was used before')
    challenges.add(form.code_challenge)
    const uri = prefix + secret(16)
    pushed.set(uri, { form, jkt, keyId, expiresAt: wire.clock.now() + requestMs })
    return Response.json({ request_uri: uri, expires_in: requestMs / 1000 }, { status: 201 })
  }

  async function token(call: Call): Promise<Response> {
    const form = call.form(TokenForm)
    const { jkt, keyId } = await readKeys(call, form)
    const bound = (to: { jkt: string; keyId: string | null }, id: string) =>
      to.jkt === jkt && to.keyId === keyId && id === form.client_id
    if (form.grant_type === 'authorization_code') {
      const granted = codes.get(form.code)
      codes.delete(form.code)
      if (!granted || granted.expiresAt < wire.clock.now()) throw oauthError('invalid_grant', 'Invalid code')
      if (!bound(granted, granted.form.client_id)) throw oauthError('invalid_grant', 'Code is bound to other keys')
      if (granted.form.redirect_uri !== form.redirect_uri) throw oauthError('invalid_grant', 'redirect_uri mismatch')
      if (granted.form.code_challenge !== challengeOf(form.code_verifier))
        throw oauthError('invalid_grant', 'Invalid code_verifier')
      const { did, scopes: allowed } = granted
      return respond(sessions.open({ did, clientId: form.client_id, keyId, jkt, scopes: allowed }))
    }
    const session = sessions.ofRefresh(form.refresh_token)
    if (!session || session.isRevoked) throw oauthError('invalid_grant', 'Invalid refresh token')
    if (!bound(session, session.clientId)) throw oauthError('invalid_grant', 'Refresh token is bound to other keys')
    if (session.refresh !== form.refresh_token) {
      session.isRevoked = true
      throw oauthError('invalid_grant', 'Refresh token replayed')
    }
    return respond(session)
  }

  function respond(session: Session): Response {
    const { metadata: _, iss: __, ...said } = lies
    return Response.json({ ...sessions.issue(session), ...said }, { headers: { 'cache-control': 'no-store' } })
  }

  async function revoke(call: Call): Promise<Response> {
    const form = call.form(RevokeForm)
    if (call.headers.has('dpop')) await readKeys(call, form)
    else await authenticate(form)
    const session = sessions.ofRefresh(form.token) ?? sessions.ofAccess(form.token)
    if (session?.clientId === form.client_id) session.isRevoked = true
    return Response.json({})
  }

  const metadata = () => ({
    issuer,
    scopes_supported: scopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query', 'fragment', 'form_post'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
    token_endpoint_auth_signing_alg_values_supported: ['ES256', 'ES384'],
    revocation_endpoint: `${issuer}/oauth/revoke`,
    pushed_authorization_request_endpoint: `${issuer}/oauth/par`,
    require_pushed_authorization_requests: true,
    dpop_signing_alg_values_supported: ['ES256', 'ES384'],
    client_id_metadata_document_supported: true,
    ...lies.metadata,
  })

  const consent: AuthorizationCounterpart['consent'] = (authorizeUrl, did, { allows = true, without = [] } = {}) => {
    const { origin, pathname, searchParams } = new URL(authorizeUrl)
    if (`${origin}${pathname}` !== `${issuer}/oauth/authorize`) throw new ConsentError('Not the consent page')
    const names = [...searchParams.keys()]
    if (names.toSorted().join(' ') !== 'client_id request_uri') throw new ConsentError(`Parameters: ${names.join(' ')}`)
    const uri = searchParams.get('request_uri') ?? ''
    const request = pushed.get(uri)
    if (!request || request.expiresAt < wire.clock.now()) throw new ConsentError('Unknown request_uri')
    if (request.form.client_id !== searchParams.get('client_id')) throw new ConsentError('client_id mismatch')
    pushed.delete(uri)
    const { redirect_uri: redirectUri, state, scope } = request.form
    const iss = lies.iss ?? issuer
    if (!allows) return redirectTo(redirectUri, { iss, state, error: 'access_denied', error_description: 'Denied' })
    const code = `cod-${secret(24)}`
    const allowed = scope.split(' ').filter((name) => !without.includes(name))
    codes.set(code, { ...request, did, scopes: allowed, expiresAt: wire.clock.now() + codeMs })
    return redirectTo(redirectUri, { iss, state, code })
  }

  const wire: Wire<'auth', Route> = startWire<'auth', Route>({
    hosts: ['auth'],
    routes: {
      'auth GET /.well-known/oauth-authorization-server': () => Response.json(metadata()),
      'auth POST /oauth/par': par,
      'auth GET /oauth/authorize': ({ path, query }) => {
        const href = `${issuer}${path}?${query}`
        const did = dids()[0] ?? ''
        const answered = { Authorize: true, Deny: false }
        const request = pushed.get(query.get('request_uri') ?? '')
        return consentPage(
          Object.fromEntries(
            Object.entries(answered).map(([words, allows]) => [
              words,
              () => {
                const link = consent(href, did, { allows })
                if (request) pushed.set(query.get('request_uri') ?? '', request)
                return link
              },
            ]),
          ),
        )
      },
      'auth POST /oauth/token': token,
      'auth POST /oauth/revoke': revoke,
    },
    shapes,
    notFound: () => oauthError('not_found', 'Not found', 404).response,
    invalid,
    headers: ({ method }): Record<string, string> => (method === 'POST' ? { 'dpop-nonce': nonces.current } : {}),
  })
  const issuer: string = wire.urls.auth
  const sessions = new Sessions(wire.clock)
  return { ...wire, issuer, sessions, nonces, reachable, lies, consent }
}

/** The account of a request to a PDS with these nonces, or its refusal. */
export async function authorizeRequest(
  request: Request,
  nonces: Nonces,
  { sessions }: AuthorizationCounterpart,
): Promise<string | Response> {
  const accessToken = /^DPoP (\S+)$/.exec(request.headers.get('authorization') ?? '')?.[1] ?? ''
  const { origin, pathname } = new URL(request.url)
  const jkt = await checkProof(request.headers.get('dpop'), nonces, {
    method: request.method,
    url: origin + pathname,
    accessToken,
  })
  if (typeof jkt !== 'string') return tokenRefused(jkt.error, jkt.message, nonces.current)
  const session = sessions.ofAccess(accessToken)
  if (!session || session.jkt !== jkt) return tokenRefused('invalid_token', 'Invalid token', nonces.current)
  if (!sessions.isLive(session, accessToken))
    return tokenRefused('invalid_token', '"exp" claim timestamp check failed', nonces.current)
  if (!session.scopes.includes('transition:generic')) {
    const message = 'Missing required scope "transition:generic"'
    return Response.json({ error: 'ScopeMissingError', message }, { status: 403 })
  }
  return session.did
}
