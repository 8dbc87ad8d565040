import { z } from 'zod'
import { StartupError } from './lib/startup-error.ts'

const flag = z.enum(['true', 'false', '1', '0']).transform((value) => value === 'true' || value === '1')
const list = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean),
)
const milliseconds = (fallback: number) => z.coerce.number().int().positive().default(fallback)

const Environment = z.object({
  ATRIUM_ENV: z.enum(['development', 'test', 'staging', 'production']).default('development'),
  PORT: z.coerce.number().int().min(0).max(65535).default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  DATA_DIR: z.string().min(1).default('.data'),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  DATABASE_POOL: z.coerce.number().int().min(2).max(200).default(10),
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  SECRETS_KEY: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, 'Must be 32 bytes as 64 hexadecimal digits.')
    .optional(),
  ALLOWED_ORIGINS: list.pipe(z.array(z.url({ protocol: /^https?$/ }))).default([]),
  SERVICES: list.pipe(z.array(z.enum(['identity', 'social'])).nonempty()).default(['identity', 'social']),
  AUTH_API_URL: z.url({ protocol: /^https?$/ }).optional(),
  REGISTRATION_VERIFY: flag.optional(),
  SANDBOX_URL: z.url({ protocol: /^https?$/ }).optional(),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
  PUBLISH_LEASE_MS: milliseconds(30_000),
  PUBLISH_HEARTBEAT_MS: milliseconds(10_000),
  PROVIDER_TIMEOUT_MS: milliseconds(10_000),
  PUBLISH_RETRY_BUDGET_MS: milliseconds(90_000),
  /** Test only: `<step>:<nth>` kills this process at that step of publishing. */
  KILL_AT: z.string().optional(),
})

export type Config = Readonly<z.infer<typeof Environment>> & {
  /** Development or test: the sandbox network and other helps exist. */
  readonly offlineHelps: boolean
}

declare module './lib/call.ts' {
  interface Provided {
    readonly config: Config
  }
}

/** Reads the environment once. Throws a StartupError that lists every missing or invalid value. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const parsed = Environment.safeParse(given)
  const faults = parsed.success
    ? demands(parsed.data)
    : parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
  if (!parsed.success || faults.length > 0) {
    throw new StartupError(`The configuration needs mending:\n${faults.map((fault) => `  ${fault}`).join('\n')}`)
  }
  return { ...parsed.data, offlineHelps: ['development', 'test'].includes(parsed.data.ATRIUM_ENV) }
}

/** What a valid environment still lacks, in words. */
function demands(env: z.infer<typeof Environment>): string[] {
  const deployed = env.ATRIUM_ENV === 'staging' || env.ATRIUM_ENV === 'production'
  const needed = ['DATABASE_URL', 'SECRETS_KEY', 'PUBLIC_URL'] as const
  return [
    ...needed.filter((name) => deployed && !env[name]).map((name) => `${name}: must be set in ${env.ATRIUM_ENV}.`),
    ...((env.REGISTRATION_VERIFY ?? deployed)
      ? ['REGISTRATION_VERIFY: needs the mail door, which is not built yet; set it to false.']
      : []),
    ...(env.SERVICES.includes('identity') || env.AUTH_API_URL
      ? []
      : ['AUTH_API_URL: must be set when SERVICES is without identity.']),
    ...(env.KILL_AT && env.ATRIUM_ENV !== 'test' ? ['KILL_AT: exists in the test environment only.'] : []),
    ...(env.PUBLISH_LEASE_MS > env.PROVIDER_TIMEOUT_MS && env.PUBLISH_LEASE_MS > env.PUBLISH_HEARTBEAT_MS
      ? []
      : ['PUBLISH_LEASE_MS: must be longer than PROVIDER_TIMEOUT_MS and PUBLISH_HEARTBEAT_MS.']),
  ]
}
