import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { z } from 'zod'
import { oauthError } from './errors.ts'

const Key = z.strictObject({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string(),
  y: z.string(),
  kid: z.string().min(1),
  use: z.literal('sig').optional(),
  alg: z.literal('ES256').optional(),
})
const https = z.url({ protocol: /^https$/ })

/** A document of a confidential web client, at its client ID. */
const Document = z.strictObject({
  client_id: z.string(),
  client_name: z.string().optional(),
  client_uri: https.optional(),
  logo_uri: https.optional(),
  tos_uri: https.optional(),
  policy_uri: https.optional(),
  application_type: z.literal('web').optional(),
  grant_types: z.array(z.enum(['authorization_code', 'refresh_token'])).min(1),
  scope: z.string(),
  response_types: z.tuple([z.literal('code')]),
  redirect_uris: z.array(https).min(1),
  token_endpoint_auth_method: z.literal('private_key_jwt'),
  token_endpoint_auth_signing_alg: z.literal('ES256'),
  dpop_bound_access_tokens: z.literal(true),
  jwks: z.strictObject({ keys: z.array(Key).min(1) }),
})
type Document = z.output<typeof Document>

export interface Client {
  id: string
  scopes: string[]
  allowsRedirect(uri: string): boolean
  /** Null for a public client. */
  keys: Document['jwks'] | null
}

/** Where a server finds what is public on the internet elsewhere. */
export type Reachable = Map<string, string>

const metadataFault = (message: string) => oauthError('invalid_client_metadata', message)

/** @throws {Refusal} */
export async function loadClient(id: string, reachable: Reachable): Promise<Client> {
  const url = URL.parse(id)
  if (url?.protocol === 'http:') return loopbackClient(id, url)
  if (url?.protocol !== 'https:' || url.port !== '' || url.pathname === '/' || url.hash !== '')
    throw metadataFault('client_id must be an https URL with a path')
  const origin = reachable.get(url.origin)
  if (!origin) throw metadataFault(`Unable to obtain client metadata for "${id}"`)
  const response = await fetch(`${origin}${url.pathname}${url.search}`, { redirect: 'manual' })
  if (response.status !== 200 || response.headers.get('content-type')?.split(';')[0] !== 'application/json')
    throw metadataFault(`Unable to obtain client metadata for "${id}"`)
  const parsed = Document.safeParse(await response.json())
  if (!parsed.success) throw metadataFault(z.prettifyError(parsed.error))
  const document = parsed.data
  if (document.client_id !== id) throw metadataFault('client_id does not match its URL')
  if (document.redirect_uris.some((uri) => new URL(uri).origin !== url.origin))
    throw metadataFault('Redirect URIs must have the origin of the client_id')
  if (document.client_uri && new URL(document.client_uri).hostname !== url.hostname)
    throw metadataFault('client_uri must have the host of the client_id')
  if (!document.grant_types.includes('authorization_code')) throw metadataFault('authorization_code is required')
  const scopes = document.scope.split(' ')
  if (!scopes.includes('atproto')) throw metadataFault('The scope atproto is required')
  return { id, scopes, keys: document.jwks, allowsRedirect: (uri) => document.redirect_uris.includes(uri) }
}

const defaultRedirects = ['http://127.0.0.1/', 'http://[::1]/']

function loopbackClient(id: string, { hostname, port, pathname, hash, searchParams }: URL): Client {
  if (hostname !== 'localhost' || port !== '' || pathname !== '/' || hash !== '')
    throw metadataFault('A client_id on http must be http://localhost without a port or path')
  const strange = [...searchParams.keys()].find((name) => name !== 'redirect_uri' && name !== 'scope')
  if (strange !== undefined) throw metadataFault(`Unknown parameter ${strange} in client_id`)
  const redirects = searchParams.has('redirect_uri') ? searchParams.getAll('redirect_uri') : defaultRedirects
  for (const uri of redirects)
    if (!/^http:\/\/(127\.0\.0\.1|\[::1\])(:\d+)?\//.test(uri)) throw metadataFault(`${uri} is not a loopback address`)
  const allowed = new Set(redirects.map(withoutPort))
  const scopes = (searchParams.get('scope') ?? 'atproto').split(' ')
  return { id, scopes, keys: null, allowsRedirect: (uri) => allowed.has(withoutPort(uri)) }
}

function withoutPort(uri: string): string {
  const url = new URL(uri)
  url.port = ''
  return url.href
}

export interface ClientForm {
  client_id: string
  client_assertion_type?: string | undefined
  client_assertion?: string | undefined
}

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const Assertion = z.strictObject({
  iss: z.string(),
  sub: z.string(),
  aud: z.string(),
  jti: z.string().min(16),
  iat: z.int(),
  nbf: z.int().optional(),
  exp: z.int(),
})

/** The ID of the key that it authenticates with; null for a public client. @throws {Refusal} */
export async function authenticateClient(
  { id, keys }: Client,
  form: ClientForm,
  { issuer, used }: { issuer: string; used: Set<string> },
): Promise<string | null> {
  const { client_assertion: assertion, client_assertion_type: type } = form
  if (!keys) {
    if (assertion !== undefined || type !== undefined) throw oauthError('invalid_client', 'A public client has no keys')
    return null
  }
  if (type !== assertionType || assertion === undefined)
    throw oauthError('invalid_request', 'client_assertion and its type are required')
  try {
    const { kid = '' } = decodeProtectedHeader(assertion)
    const { payload } = await jwtVerify(assertion, createLocalJWKSet(keys), {
      algorithms: ['ES256'],
      issuer: id,
      subject: id,
      audience: issuer,
      maxTokenAge: 60,
    })
    const { jti } = Assertion.parse(payload)
    if (kid === '' || used.has(jti)) throw new Error('kid is required, and jti can be used once')
    used.add(jti)
    return kid
  } catch (error) {
    throw oauthError('invalid_client', `client_assertion: ${error instanceof Error ? error.message : 'invalid'}`)
  }
}
