import type { Log } from '#lib/log.ts'
import type { Metrics } from '#lib/metrics.ts'
import type { Clock } from '#lib/time.ts'
import { networkOf } from './index.ts'
import { providers } from '../contract.ts'

const day = 24 * 60 * 60_000
/** An operator has this long to update Atrium. */
const warnedDays = 60

interface Ending {
  provider: string
  version: string
  days: number
}

const listVersions = (now: Date): Ending[] =>
  providers.flatMap((provider) => {
    const { apiVersion } = networkOf(provider) ?? {}
    if (!apiVersion) return []
    const days = Math.floor((Date.parse(apiVersion.endsOn) - now.getTime()) / day)
    return [{ provider, version: apiVersion.name, days }]
  })

/** Warns operators how long networks still support the versions of their APIs that this release uses. */
export function watchApiVersions({ log, metrics }: { log: Pick<Log, 'warn'>; metrics: Metrics }, now: Clock): void {
  metrics.gauge(
    'atrium_network_api_version_days',
    'Days until a network stops supporting the version of its API that this release uses.',
    () => listVersions(now()).map(({ provider, version, days }) => ({ labels: { provider, version }, value: days })),
  )
  for (const ending of listVersions(now()))
    if (ending.days < warnedDays)
      log.warn('a network ends the version of its API that this release uses', { ...ending })
}
