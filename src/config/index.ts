import type { z } from 'zod'
import type { DatabaseAddress } from '#lib/postgres/pool.ts'
import { StartupError } from '#lib/startup-error.ts'
import { demands, type Fault } from './demands.ts'
import { Environment } from './environment.ts'
import { practiceDemoHours, type HourRange } from './operator.ts'

export { everyService } from './services.ts'

export type Config = Readonly<Environment> & {
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

declare module '#lib/call.ts' {
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

function allFaults(given: Record<string, string | undefined>, issues: z.core.$ZodIssue[]): Fault[] {
  const invalid = issues.map(({ path, message }) => ({ name: String(path[0]), message }))
  const names = new Set(invalid.map(({ name }) => name))
  const valid = Environment.safeParse(Object.fromEntries(Object.entries(given).filter(([name]) => !names.has(name))))
  const missing = valid.success ? demands(valid.data) : []
  return [...invalid, ...missing.filter(({ name }) => !names.has(name))]
}
