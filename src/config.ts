import { z } from 'zod'
import { operatorSettings, practiceDemoHours, type HourRange } from './operator-settings.ts'
import { androidApps, iosAppIds } from './app-links.ts'
import { isLoopback } from './lib/address.ts'
import type { DatabaseAddress } from './lib/postgres/pool.ts'
import { StartupError } from './lib/startup-error.ts'

const flag = z.enum(['true', 'false', '1', '0']).transform((value) => value === 'true' || value === '1')
const list = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean),
)
const number = (least: number, most = Number.MAX_SAFE_INTEGER) =>
  z.coerce
    .number({ error: ({ code }) => (code === 'invalid_type' ? 'Must be a number.' : undefined) })
    .int('Must be a whole number.')
    .min(least, `Must be at least ${least}.`)
    .max(most, `Must be at most ${most}.`)
const milliseconds = (fallback: number) => number(1).default(fallback)
const address = (protocol: RegExp, example: string) => z.url({ protocol, error: `Must be a URL, such as ${example}.` })
const postgresUrl = address(/^postgres(ql)?$/, 'postgres://user:password@host:5432/atrium').refine(
  (url) => !new URL(url).searchParams.has('prepare'),
  'Must not have the parameter “prepare”. Set DATABASE_PREPARE=false instead.',
)
const perMinute = (fallback: number) => number(0, 10_000_000).default(fallback)
const web = address(/^https?$/, 'https://atrium.example.com')
/** A URL without credentials, path and query: requests with credentials of this server go to paths of its own. */
const origin = web.refine((text) => {
  const url = URL.parse(text)
  // Other protocols are refused before.
  return !url || url.origin === 'null' || (url.href === `${url.origin}/` && !url.username)
}, 'Must be an origin such as https://atrium.example.com, without a path or credentials.')
const host = z.hostname('Must be a host without a scheme, such as social.example.com.').toLowerCase()
const hosts = list.pipe(z.array(host)).default([])
const routes = list.transform((pairs, context) => {
  const parsed = pairs.map((pair) => /^([a-z][a-z0-9-]*)=([\w./-]+)$/.exec(pair))
  if (parsed.includes(null)) {
    context.addIssue({ code: 'custom', message: 'Must be a list such as openai=openai,anthropic=anthropic/v1.' })
    return z.NEVER
  }
  return new Map(parsed.map((found) => [found?.[1] ?? '', found?.[2] ?? ''] as const))
})
const hostsBySlug = list.transform((pairs, context) => {
  const parsed = pairs.map((pair) => /^([a-z0-9][a-z0-9-]*)=(https?:\/\/\S+)$/.exec(pair))
  if (parsed.some((found) => !found || !URL.canParse(found[2] ?? ''))) {
    context.addIssue({ code: 'custom', message: 'Must be a list such as bookings=https://bookings.example.com.' })
    return z.NEVER
  }
  return new Map(parsed.map((found) => [found?.[1] ?? '', found?.[2] ?? ''] as const))
})
const key = z.string().regex(/^[0-9a-f]{64}$/i, 'Must be 32 bytes as 64 hexadecimal digits.')

export const everyService = ['identity', 'social', 'gateway', 'payments', 'dashboard'] as const

const text32 = z.string().regex(/^[\w-]{43}$/)
const privateKey = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown
    } catch {
      context.addIssue({
        code: 'custom',
        message: 'Must be a private key in JWK format, as printed by "bun run service:key".',
      })
      return z.NEVER
    }
  })
  .pipe(
    z.object(
      { kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: text32, d: text32 },
      'Must be a private Ed25519 key in JWK format, as printed by "bun run service:key".',
    ),
  )

const Environment = z.object({
  ATRIUM_ENV: z.enum(['development', 'test', 'staging', 'production']).default('development'),
  PORT: number(0, 65535).default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  DATA_DIR: z.string().min(1).default('.data'),
  DATABASE_URL: postgresUrl.optional(),
  /** PostgreSQL's own URL, when DATABASE_URL is a pooler in transaction mode. */
  DATABASE_DIRECT_URL: postgresUrl.optional(),
  /** Whether statements are prepared by name. By default true unless DATABASE_DIRECT_URL is set. */
  DATABASE_PREPARE: flag.optional(),
  DATABASE_POOL: number(2, 200).default(10),
  DATABASE_STATEMENT_TIMEOUT_MS: milliseconds(30_000),
  /** How long a statement waits for a connection or a lock before its request fails with 503. */
  DATABASE_WAIT_MS: milliseconds(5_000),
  PUBLIC_URL: web.optional(),
  SECRETS_KEY: key.optional(),
  SECRETS_KEY_PREVIOUS: list.pipe(z.array(key)).default([]),
  ALLOW_PRIVATE_NETWORK: flag.optional(),
  /** As browsers send it: without a path or a final slash. */
  ALLOWED_ORIGINS: list.pipe(z.array(web.transform((url) => new URL(url).origin))).default([]),
  /** Hosts of each service, and those that serve everything in addition to the one of PUBLIC_URL (PLT-05, PLT-09). */
  IDENTITY_HOST: hosts,
  SOCIAL_HOST: hosts,
  GATEWAY_HOST: hosts,
  DASHBOARD_HOST: hosts,
  PAY_HOST: hosts,
  PLATFORM_HOST: hosts,
  SERVICES: list.pipe(z.array(z.enum(everyService)).nonempty()).default([...everyService]),
  AUTH_API_URL: origin.optional(),
  /** Of the provider gateway in another process. */
  NEXUS_GATEWAY_URL: origin.optional(),
  /** The public URL of the payment service, for links that customers and providers get; by default PUBLIC_URL. */
  PAY_APP_URL: origin.optional(),
  /** Of the dashboard in another process, which receives actions. */
  DASHBOARD_URL: origin.optional(),
  /** Where apps' widgets are read instead of the registry's host, by slug; also in a private network (DSH-12). */
  WIDGET_HOSTS: hostsBySlug.default(new Map()),
  /** Native apps that open this server's links: `TEAMID.bundle` and `package=fingerprint` (DSH-23). */
  IOS_APP_IDS: list.pipe(iosAppIds).default([]),
  ANDROID_APPS: list.pipe(androidApps).default([]),
  /** The JWK with which this process authenticates to identity in another process (IDN-40). */
  SERVICE_KEY: privateKey.optional(),
  REGISTRATION_VERIFY: flag.optional(),
  ONBOARDING: flag.optional(),
  SMTP_URL: address(/^smtps?$/, 'smtp://user:password@mail.example.com:587').optional(),
  /** By default `Atrium` at PUBLIC_URL's host. */
  MAIL_FROM: z
    .string()
    .regex(/^[^<>\r\n]*<?[^<>@\s]+@[^<>@\s]+>?$/, 'Must be an email address, such as Atrium <atrium@example.com>.')
    .optional(),
  /** What domains of organizations allow in their SPF records when they send through SMTP_URL. By default its host. */
  MAIL_SPF: z
    .string()
    .regex(/^(include|a|mx|ip4|ip6|exists):[\w.:/-]+$/, 'Must be a mechanism of SPF, such as include:_spf.example.com.')
    .optional(),
  /** Sign-in providers (IDN-08): each is offered when it has both an ID and a secret. */
  UPSTREAM_GITHUB_CLIENT_ID: z.string().min(1).optional(),
  UPSTREAM_GITHUB_CLIENT_SECRET: z.string().min(1).optional(),
  UPSTREAM_GITHUB_URL: web.default('https://github.com'),
  UPSTREAM_GOOGLE_CLIENT_ID: z.string().min(1).optional(),
  UPSTREAM_GOOGLE_CLIENT_SECRET: z.string().min(1).optional(),
  UPSTREAM_OIDC_ISSUER: web.optional(),
  UPSTREAM_OIDC_CLIENT_ID: z.string().min(1).optional(),
  UPSTREAM_OIDC_CLIENT_SECRET: z.string().min(1).optional(),
  UPSTREAM_OIDC_NAME: z.string().min(1).max(40).default('single sign-on'),
  /** Used instead of the system's, with or without a port. */
  DNS_RESOLVER: z
    .string()
    .regex(
      /^(\d{1,3}(\.\d{1,3}){3}(:\d{1,5})?|\[[0-9a-f:]+\](:\d{1,5})?)$/i,
      'Must be an IP address, such as 9.9.9.9 or 127.0.0.1:5353.',
    )
    .optional(),
  SANDBOX_URL: web.optional(),
  /** By default Bluesky's own, except in staging (PLT-26). */
  BLUESKY_RESOLVER_URL: web.optional(),
  PLC_DIRECTORY_URL: web.optional(),
  /** An S3-compatible store for files instead of a folder of DATA_DIR. */
  S3_ENDPOINT: web.optional(),
  S3_BUCKET: z.string().min(1).optional(),
  S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  S3_REGION: z.string().min(1).default('us-east-1'),
  /** The path of a font for Chinese, Japanese and Korean text in PDFs, such as NotoSansCJKsc-Regular.otf. */
  PDF_CJK_FONT: z.string().min(1).optional(),
  /** The practice models' URL; by default this server's own, in development and tests. */
  MODELS_URL: web.transform((url) => url.replace(/\/+$/, '')).optional(),
  /** The practice payment provider's URL without `/v1`; by default this server's own, in development and tests. */
  PAYMENTS_URL: web.transform((url) => url.replace(/\/+$/, '')).optional(),
  /** The practice video provider’s, likewise: `http://127.0.0.1:3200/dev/video`. */
  VIDEO_URL: web.transform((url) => url.replace(/\/+$/, '')).optional(),
  /** An AI gateway at the edge through which providers are called (GTW-13). */
  EDGE_AI_GATEWAY_URL: web.optional(),
  EDGE_AI_GATEWAY_TOKEN: z.string().min(1).optional(),
  /** Providers that it serves, each with its path there. */
  EDGE_AI_GATEWAY_ROUTES: routes.default(
    new Map([
      ['openai', 'openai'],
      ['anthropic', 'anthropic/v1'],
    ]),
  ),
  /** How long a provider can take until its response begins. */
  AI_RESPONSE_MS: milliseconds(300_000),
  /** How long the payment provider can take; then the outcome of a write is unknown. */
  PAYMENTS_TIMEOUT_MS: milliseconds(30_000),
  /** Seconds until each next look at a payment, refund or payout whose outcome isn’t known. */
  PAYMENTS_SWEEP_S: list
    .transform((parts) => parts.map(Number))
    .pipe(z.array(z.number().min(0.05).max(604_800)).nonempty('Must be seconds, such as 300,3600,86400.'))
    .default([300, 3_600, 86_400, 86_400, 86_400, 86_400, 86_400]),
  /** Signs the events of the platform’s own account at the payment provider, when its endpoint was created by hand. */
  STRIPE_WEBHOOK_SECRET: z.string().startsWith('whsec_', 'Must be a signing secret, such as whsec_….').optional(),
  /** Calls in progress to one provider’s host, of all organizations: each gets a fair share. */
  AI_CONNECTIONS: z.coerce.number().int().min(1).max(100_000).default(2_000),
  RATE_LIMIT_READS: perMinute(600),
  RATE_LIMIT_WRITES: perMinute(120),
  RATE_LIMIT_UPLOADS: perMinute(60),
  RATE_LIMIT_SIGN_IN: perMinute(10),
  RATE_LIMIT_AI: perMinute(300),
  RATE_LIMIT_INGESTION: perMinute(6000),
  /** Of requests that each ask a provider what happened. */
  RATE_LIMIT_CHECKS: perMinute(30),
  /** Each quota for all credentials of an organization together, as a multiple; 0 for no limit. */
  RATE_LIMIT_ORGANIZATION: number(0, 100_000).default(10),
  /** Messages, waitlist entries and booked demos of one network in an hour; 0 for no limit (DSH-30). */
  RATE_LIMIT_FORMS: number(0, 1_000_000).default(30),
  TRUSTED_PROXIES: number(0, 10).default(0),
  METRICS_TOKEN: z.string().min(16, 'Must have at least 16 characters.').optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: web.optional(),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
  /** Milliseconds that an upload stays locked without a heartbeat of the receiving server. */
  UPLOAD_LEASE_MS: milliseconds(30_000),
  IMAGE_WAIT_MS: milliseconds(30_000),
  PUBLISH_LEASE_MS: milliseconds(30_000),
  PUBLISH_HEARTBEAT_MS: milliseconds(10_000),
  /** Renewed every third of it by the server that works on the item. */
  SETTLEMENT_LEASE_MS: milliseconds(30_000),
  PROVIDER_TIMEOUT_MS: milliseconds(10_000),
  PUBLISH_RETRY_BUDGET_MS: milliseconds(90_000),
  /** Days that single usage records and their request IDs are kept; daily totals stay. */
  USAGE_RAW_DAYS: number(1, 366).default(30),
  /** JetStream, which takes reported usage before it is counted. */
  USAGE_INGEST_QUEUE: address(/^nats$/, 'nats://user:password@host:4222').optional(),
  /** Between heartbeats of a server that holds budget, and the time without one after which others count its holds as spent. */
  BUDGET_HEARTBEAT_MS: milliseconds(2_000),
  BUDGET_STALE_MS: milliseconds(15_000),
  /** Test only: `<step>:<nth>` kills this process at that step of publishing. */
  KILL_AT: z.string().optional(),
  ...operatorSettings,
})

export type Config = Readonly<z.infer<typeof Environment>> & {
  /** In development and test, where the sandbox network exists. */
  readonly offlineHelps: boolean
  readonly ALLOW_PRIVATE_NETWORK: boolean
  /** Whether sign-ups are confirmed by email (IDN-48). */
  readonly REGISTRATION_VERIFY: boolean
  /** Whether people must finish their onboarding before they use the dashboard (DSH-04). */
  readonly ONBOARDING: boolean
  readonly BLUESKY_RESOLVER_URL: string
  readonly PLC_DIRECTORY_URL: string
  /** Empty where no demos are offered. */
  readonly DEMO_HOURS: HourRange[]
}

declare module './lib/call.ts' {
  interface Provided {
    readonly config: Config
  }
}

export const databaseAddress = (config: Config): DatabaseAddress | null =>
  config.DATABASE_URL === undefined
    ? null
    : {
        url: config.DATABASE_URL,
        directUrl: config.DATABASE_DIRECT_URL ?? config.DATABASE_URL,
        // A pooler without support for them mixes up its clients' statements.
        prepare: config.DATABASE_PREPARE ?? config.DATABASE_DIRECT_URL === undefined,
      }

/** @throws {StartupError} that lists every missing or invalid value */
export function readConfig(env: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const parsed = Environment.safeParse(given)
  const faults = parsed.success ? demands(parsed.data) : allFaults(given, parsed.error.issues)
  if (!parsed.success || faults.length > 0) {
    const lines = faults.map(({ name, message }) => `  ${name}: ${message}`)
    throw new StartupError(`The configuration is invalid:\n${lines.join('\n')}`)
  }
  const offlineHelps = ['development', 'test'].includes(parsed.data.ATRIUM_ENV)
  const {
    ALLOW_PRIVATE_NETWORK = offlineHelps,
    REGISTRATION_VERIFY = !offlineHelps,
    ONBOARDING = !offlineHelps,
    BLUESKY_RESOLVER_URL = 'https://public.api.bsky.app',
    PLC_DIRECTORY_URL = 'https://plc.directory',
    // No one would come to demos that no operator offers.
    DEMO_HOURS = offlineHelps ? practiceDemoHours : [],
  } = parsed.data
  const settled = {
    ALLOW_PRIVATE_NETWORK,
    REGISTRATION_VERIFY,
    ONBOARDING,
    BLUESKY_RESOLVER_URL,
    PLC_DIRECTORY_URL,
    DEMO_HOURS,
  }
  return { ...parsed.data, ...settled, offlineHelps }
}

interface Fault {
  name: string
  message: string
}

function allFaults(given: Record<string, string | undefined>, issues: z.core.$ZodIssue[]): Fault[] {
  const invalid = issues.map(({ path, message }) => ({ name: String(path[0]), message }))
  const names = new Set(invalid.map(({ name }) => name))
  const valid = Environment.safeParse(Object.fromEntries(Object.entries(given).filter(([name]) => !names.has(name))))
  const missing = valid.success ? demands(valid.data) : []
  return [...invalid, ...missing.filter(({ name }) => !names.has(name))]
}

function demands(env: z.infer<typeof Environment>): Fault[] {
  const deployed = env.ATRIUM_ENV === 'staging' || env.ATRIUM_ENV === 'production'
  const longestMs = Math.max(env.PROVIDER_TIMEOUT_MS, env.PUBLISH_HEARTBEAT_MS)
  const when = (condition: boolean, name: string, message: string) => (condition ? [{ name, message }] : [])
  return [
    ...(['DATABASE_URL', 'SECRETS_KEY', 'PUBLIC_URL', 'SMTP_URL'] as const).flatMap((name) =>
      when(deployed && !env[name], name, `must be set in ${env.ATRIUM_ENV}.`),
    ),
    ...when(
      Boolean(env.DATABASE_DIRECT_URL) && !env.DATABASE_URL,
      'DATABASE_URL',
      'must be set when DATABASE_DIRECT_URL is set.',
    ),
    ...when(
      env.DATABASE_PREPARE === false && !env.DATABASE_DIRECT_URL,
      'DATABASE_DIRECT_URL',
      'must be set when DATABASE_PREPARE is false, because notifications and locks don’t work through a pooler.',
    ),
    ...when(
      deployed && Boolean(env.PUBLIC_URL) && !isPrivateAddress(env.PUBLIC_URL),
      'PUBLIC_URL',
      `must begin with https:// in ${env.ATRIUM_ENV}: over http, passwords and sessions can be read in transit.`,
    ),
    ...when(
      env.ATRIUM_ENV === 'production' && isWeak(env.SECRETS_KEY),
      'SECRETS_KEY',
      'must be random in production, but this value repeats a pattern. Create one with: openssl rand -hex 32',
    ),
    ...(['BLUESKY_RESOLVER_URL', 'PLC_DIRECTORY_URL'] as const).flatMap((name) =>
      when(
        env.ATRIUM_ENV === 'staging' && env.SERVICES.includes('social') && !env[name],
        name,
        'must be set in staging, which never uses production hosts by default.',
      ),
    ),
    ...when(
      env.ATRIUM_ENV === 'staging' && env.SERVICES.includes('payments') && !env.PAY_APP_URL,
      'PAY_APP_URL',
      'must be set in staging when SERVICES includes payments.',
    ),
    ...when(
      env.SERVICES.includes('payments') && !env.SERVICES.includes('gateway') && !env.NEXUS_GATEWAY_URL,
      'NEXUS_GATEWAY_URL',
      'must be set when SERVICES includes payments but not gateway.',
    ),
    ...when(
      !env.SERVICES.includes('identity') && !env.AUTH_API_URL,
      'AUTH_API_URL',
      'must be set when SERVICES doesn’t include identity.',
    ),
    ...when(
      Boolean(env.DASHBOARD_URL ?? env.NEXUS_GATEWAY_URL) && !env.SERVICES.includes('identity') && !env.SERVICE_KEY,
      'SERVICE_KEY',
      `must be set when ${env.DASHBOARD_URL ? 'DASHBOARD_URL' : 'NEXUS_GATEWAY_URL'} is set and SERVICES doesn’t include identity.`,
    ),
    ...(['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const).flatMap((name) =>
      when(namesS3(env) && !env[name], name, 'must be set when another S3_… variable is set.'),
    ),
    ...missingUpstream(env).map((name) => ({
      name,
      message: 'must be set when another variable of this provider is set.',
    })),
    ...when(Boolean(env.KILL_AT) && env.ATRIUM_ENV !== 'test', 'KILL_AT', 'can only be set in the test environment.'),
    ...when(
      env.PUBLISH_LEASE_MS <= longestMs,
      'PUBLISH_LEASE_MS',
      'must be longer than PROVIDER_TIMEOUT_MS and PUBLISH_HEARTBEAT_MS.',
    ),
    ...when(
      env.BUDGET_STALE_MS < 5 * env.BUDGET_HEARTBEAT_MS,
      'BUDGET_STALE_MS',
      'must be at least five times BUDGET_HEARTBEAT_MS.',
    ),
  ]
}

/** By https or on this machine, no one can read it on the way. */
function isPrivateAddress(url = ''): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' || isLoopback(hostname)
}

/** One digit or pattern repeated, or bytes in equal steps: a person typed it. */
function isWeak(hex = ''): boolean {
  const digits = hex.toLowerCase()
  const bytes = [...Buffer.from(digits, 'hex')]
  const steps = new Set(bytes.slice(1).map((byte, at) => (byte - (bytes[at] ?? 0) + 256) % 256))
  return hex !== '' && (/^(.+)\1+$/.test(digits) || new Set(digits).size < leastDigits || steps.size === 1)
}

/** Fewer different digits occur once in 10^19 random keys. */
const leastDigits = 8

const namesS3 = (env: z.infer<typeof Environment>): boolean =>
  Boolean(env.S3_ENDPOINT ?? env.S3_BUCKET ?? env.S3_ACCESS_KEY_ID ?? env.S3_SECRET_ACCESS_KEY)

const upstreams = [
  ['UPSTREAM_GITHUB_CLIENT_ID', 'UPSTREAM_GITHUB_CLIENT_SECRET'],
  ['UPSTREAM_GOOGLE_CLIENT_ID', 'UPSTREAM_GOOGLE_CLIENT_SECRET'],
  ['UPSTREAM_OIDC_ISSUER', 'UPSTREAM_OIDC_CLIENT_ID', 'UPSTREAM_OIDC_CLIENT_SECRET'],
] as const

const missingUpstream = (env: z.infer<typeof Environment>) =>
  upstreams.flatMap((names) => (names.some((name) => env[name]) ? names.filter((name) => !env[name]) : []))
