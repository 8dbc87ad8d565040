import type { DnsServer } from './dns-server.ts'
import type { OidcServer } from './oidc-server.ts'
import { password, type Caller, type World } from './world.ts'

/** Cookies as a browser sends them back. */
export const cookiesOf = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((text) => text.split(';')[0])
    .join('; ')

/** Configures SSO for an organization. */
export const setOrganizationSso = (owner: Caller, organizationId: string, oidc: OidcServer, more: object = {}) =>
  owner.fetchJson(`PUT /api/organizations/${organizationId}/sign-in`, {
    issuer: oidc.issuer,
    clientId: oidc.client.id,
    clientSecret: oidc.client.secret,
    ...more,
  })

export interface Domain {
  id: string
  domain: string
  status: string
  record: { name: string; value: string }
  failure: { reason: string } | null
  endsAt: string | null
}

/** Adds a domain to an organization and its record to the DNS, and verifies it. */
export async function proveDomain(owner: Caller, organizationId: string, dns: DnsServer, domain: string) {
  const route = `POST /api/organizations/${organizationId}/domains`
  const added = await owner.fetchJson<Domain>(route, { domain }, 201)
  dns.records.set(added.record.name, [added.record.value])
  return owner.fetchJson<Domain>(`${route}/${added.id}/verification`, {})
}

/** Follows the SSO of an organization like a browser; with the cookie of a session to connect it. */
export async function arriveBy(
  { stranger }: World,
  oidc: OidcServer,
  organizationId: string,
  login: string,
  own = '',
): Promise<Response> {
  const route = own ? 'POST /api/auth/identities' : `POST /api/auth/sso/${organizationId}`
  const headers = { 'sec-fetch-site': 'same-origin', cookie: own || 'none=1' }
  const started = await stranger.fetch(route, own ? { provider: organizationId, password } : {}, headers)
  const { authorizeUrl } = (await started.json()) as { authorizeUrl: string }
  const back = await oidc.signIn(authorizeUrl, login)
  const cookie = [own, cookiesOf(started)].filter(Boolean).join('; ')
  return stranger.fetch(`GET ${back.pathname}${back.search}`, undefined, { accept: 'text/html', cookie })
}
