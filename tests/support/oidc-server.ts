import { createServer } from 'node:http'
import Provider from 'oidc-provider'

/** A user of the provider: the entered name is the `sub`. */
interface OidcPerson {
  email?: string
  email_verified?: boolean
  name?: string
}

/** A certified OpenID Provider (npm's oidc-provider) on loopback that accepts any password. */
export interface OidcServer {
  issuer: string
  client: { id: string; secret: string }
  people: Map<string, OidcPerson>
  /** Starts answering a client with these redirect URIs. */
  open(redirectUris: string[]): void
  /** Signs a user in like a browser, from the authorization URL. Returns the redirect URL. */
  signIn(authorizeUrl: string, login: string): Promise<URL>
  stop(): Promise<void>
}

/** Starts it on a free port: its URL is known before its client is. */
export async function startOidcServer(): Promise<OidcServer> {
  const server = createServer()
  const listening = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', listening.resolve)
  await listening.promise
  const address = server.address()
  const issuer = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  const people = new Map<string, OidcPerson>()
  const client = { id: 'atrium', secret: 'an upstream secret: +/=' }
  return {
    issuer,
    client,
    people,
    open: (redirectUris) => void server.on('request', providerFor(issuer, client, people, redirectUris).callback()),
    signIn: (authorizeUrl, login) => walk(issuer, authorizeUrl, login),
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

const providerFor = (
  issuer: string,
  { id, secret }: OidcServer['client'],
  people: OidcServer['people'],
  redirectUris: string[],
): Provider =>
  new Provider(issuer, {
    clients: [{ client_id: id, client_secret: secret, redirect_uris: redirectUris }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    cookies: { keys: ['of a test'] },
    pkce: { required: () => true },
    findAccount: (_, sub) => ({ accountId: sub, claims: () => Promise.resolve({ sub, ...people.get(sub) }) }),
    // Without asking for consent.
    loadExistingGrant: async ({ oidc: { session, client: asking, provider } }) => {
      const grant = new provider.Grant({ accountId: session?.accountId, clientId: asking?.clientId })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })

/** Follows its redirects with its cookies until they leave it. */
async function walk(issuer: string, authorizeUrl: string, login: string): Promise<URL> {
  const jar = new Map<string, string>()
  let url = new URL(authorizeUrl)
  while (url.origin === issuer) {
    const form = url.pathname.startsWith('/interaction/')
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...jar].map((pair) => pair.join('=')).join('; ') },
      ...(form && { method: 'POST', body: new URLSearchParams({ prompt: 'login', login, password: 'any' }) }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      jar.set(name, value)
    }
    const location = response.headers.get('location')
    if (!location) throw new Error(`The provider answered ${response.status}: ${await response.text()}`)
    url = new URL(location, url)
  }
  return url
}
