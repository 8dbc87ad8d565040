import type { Config } from '#config'
import type { Call, Provided } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { addressesOf, isPublic, systemResolve } from '#lib/outbound/addresses.ts'
import type { Payer } from '../contract/families.ts'
import type { DomainKind } from '../contract/senders.ts'
import { mechanismOf } from '../senders/spf.ts'
import { resolveCredential, type ProviderCredential } from '../credentials/resolve.ts'
import { cloudflareTransport } from './cloudflare-email.ts'
import { mailboxTransport } from './mailbox.ts'
import { resendTransport, type ProviderApi } from './resend.ts'
import { NotDelivered, type EmailTransport } from './transport.ts'

const providers = {
  resend: { name: 'Resend', spf: 'include:amazonses.com' },
  cloudflare_email: { name: 'Cloudflare', spf: 'include:_spf.mx.cloudflare.net' },
} as const

export interface RouteRequest {
  organizationId: string | null
  kind: DomainKind
  /** Made with a test key: nothing is sent. */
  test: boolean
}

/** How an email is sent, before a server is called. */
export interface Route {
  /** As usage is counted. */
  provider: DomainKind | 'mailbox' | 'test' | 'none'
  paidBy: Payer
  credential: ProviderCredential<{ apiKey?: string; username?: string; password?: string }> | null
}

type Resolver = Pick<Call, 'config' | 'secrets' | 'upstreams'> & { db: Database }

/**
 * The organization’s own credential, else the platform’s; in development and tests, the mailbox without either. `none`:
 * it can’t be sent until there is a credential.
 */
export async function findRoute(call: Resolver, { organizationId, kind, test }: RouteRequest): Promise<Route> {
  const { config } = call
  const platform = { paidBy: 'platform', credential: null } as const
  if (test) return { ...platform, provider: 'test' }
  if (kind !== 'platform') {
    const credential = await resolveCredential(call, { organizationId, provider: kind, test: false })
    if (credential)
      return { provider: kind, paidBy: credential.level === 'platform' ? 'platform' : 'organization', credential }
  }
  if (config.SMTP_URL && (kind === 'smtp' || kind === 'platform')) return { ...platform, provider: kind }
  return { ...platform, provider: config.offlineHelps ? 'mailbox' : 'none' }
}

type Sending = Pick<Provided, 'config' | 'emailConnections' | 'mail' | 'outbound'> & { db: Database }

/** @throws {NotDelivered} when nothing is configured to send it through */
export function openTransport(work: Sending, { provider, credential }: Route): EmailTransport {
  const { config, db, mail, emailConnections } = work
  if (provider === 'test') return recordOnly
  if (provider === 'mailbox') return mailboxTransport(db, mail)
  if (credential) {
    if (provider === 'resend') return resendTransport(apiOf(work, credential))
    if (provider === 'cloudflare_email') return cloudflareTransport(apiOf(work, requireAccount(credential)))
    return emailConnections.transport({
      url: urlOf(credential),
      provider: 'smtp',
      resolve: isGuarded(config, credential) ? (host) => addressesOf(host, systemResolve, isPublic) : null,
    })
  }
  if (config.SMTP_URL && (provider === 'smtp' || provider === 'platform'))
    return emailConnections.transport({ url: config.SMTP_URL, provider, resolve: null })
  throw new NotDelivered(
    'deferred',
    'There is no credential for the provider of this domain. Add one under Credentials.',
  )
}

export interface MailHost {
  /** The host or provider; null when it isn’t known. */
  name: string | null
  /** The mechanism of SPF that allows it to send. */
  spf: string
}

/** What emails of such a domain are sent through. */
export async function mailHostOf(
  call: Resolver,
  { organizationId, kind }: { organizationId: string; kind: Exclude<DomainKind, 'platform'> },
): Promise<MailHost> {
  if (kind !== 'smtp') return providers[kind]
  const credential = await resolveCredential(call, { organizationId, provider: kind, test: false })
  const { SMTP_URL, MAIL_SPF } = call.config
  const url = credential?.baseUrl ?? SMTP_URL
  const name = url === undefined ? null : new URL(url).hostname.replace(/^\[|\]$/g, '')
  return { name, spf: (!credential && MAIL_SPF) || mechanismOf(name) }
}

/** For test keys, which call nothing outside. */
const recordOnly: EmailTransport = {
  provider: 'test',
  send: async ({ recipients }, { beginData }) => {
    await beginData()
    const result = { state: 'sent', response: 'Recorded and not sent, because of the test key' } as const
    const results = new Map(recipients.map((address) => [address, result]))
    return { server: null, encryption: null, response: result.response, providerMessageId: null, results }
  },
}

type Found = NonNullable<Route['credential']>

const isGuarded = ({ ALLOW_PRIVATE_NETWORK }: Config, { level }: Found): boolean =>
  level === 'organization' && !ALLOW_PRIVATE_NETWORK

function urlOf({ baseUrl, secret }: Found): string {
  const { protocol, host, search } = new URL(baseUrl)
  const login = [secret.username ?? '', secret.password ?? ''].map(encodeURIComponent).join(':')
  return `${protocol}//${login}@${host}${search}`
}

/** @throws {NotDelivered} for a base URL without an account */
function requireAccount(credential: Found): Found {
  if (/\/accounts\/[\w-]+$/.test(credential.baseUrl)) return credential
  throw new NotDelivered('deferred', 'The base URL of the Cloudflare credential must end in /accounts/<account ID>.')
}

/** Milliseconds. */
const apiTimeoutMs = 30_000

const apiOf = ({ outbound }: Sending, { baseUrl, secret }: Found): ProviderApi => ({
  host: new URL(baseUrl).host,
  apiKey: secret.apiKey ?? '',
  call: (path, init) => outbound.fetch(`${baseUrl}${path}`, { ...init, timeoutMs: apiTimeoutMs, redirect: 'manual' }),
})
