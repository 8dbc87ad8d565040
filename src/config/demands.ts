import { isLoopback } from '#lib/address.ts'
import type { Environment } from './environment.ts'

export interface Fault {
  name: string
  message: string
}

/** What is missing, or doesn’t fit the other settings. */
export function demands(env: Environment): Fault[] {
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

const namesS3 = (env: Environment): boolean =>
  Boolean(env.S3_ENDPOINT ?? env.S3_BUCKET ?? env.S3_ACCESS_KEY_ID ?? env.S3_SECRET_ACCESS_KEY)

const upstreams = [
  ['UPSTREAM_GITHUB_CLIENT_ID', 'UPSTREAM_GITHUB_CLIENT_SECRET'],
  ['UPSTREAM_GOOGLE_CLIENT_ID', 'UPSTREAM_GOOGLE_CLIENT_SECRET'],
  ['UPSTREAM_OIDC_ISSUER', 'UPSTREAM_OIDC_CLIENT_ID', 'UPSTREAM_OIDC_CLIENT_SECRET'],
] as const

const missingUpstream = (env: Environment) =>
  upstreams.flatMap((names) => (names.some((name) => env[name]) ? names.filter((name) => !env[name]) : []))
