import type { Config } from '#config'
import { providers, type Integration, type Provider } from '../contract.ts'
import type { AppMode } from './app.ts'
import { bluesky } from './bluesky/index.ts'
import { discord } from './discord/index.ts'
import { facebook } from './facebook/index.ts'
import { instagram } from './instagram/index.ts'
import { linkedin, linkedinPage } from './linkedin/index.ts'
import { mastodon } from './mastodon/index.ts'
import type { Network } from './network.ts'
import { sandbox } from './sandbox.ts'
import { threads } from './threads/index.ts'
import { tiktok } from './tiktok/index.ts'
import { x } from './x/index.ts'
import { youtube } from './youtube/index.ts'

const networks = new Map<string, Network>(
  [sandbox, bluesky, mastodon, discord, x, linkedin, linkedinPage, facebook, instagram, threads, youtube, tiktok].map(
    (network) => [network.provider, network],
  ),
)

/** The networks whose tokens live for weeks. */
export const refreshAheadByProvider: ReadonlyMap<Provider, number> = new Map(
  [...networks.values()].flatMap(({ provider, refreshAheadMs }) =>
    refreshAheadMs === undefined ? [] : [[provider, refreshAheadMs] as const],
  ),
)

export const networkOf = (provider: string): Network | null => networks.get(provider) ?? null

export type CatalogEntry = Pick<Integration, 'provider' | 'name' | 'readiness' | 'connect' | 'limits' | 'note'>

type Settings = Pick<Config, 'offlineHelps'>

/** Whether a network exists in this environment: the sandbox does in development and test only (SOC-08). */
export const isOffered = ({ offlineHelps }: Settings, provider: Provider): boolean =>
  offlineHelps || provider !== 'sandbox'

/** The networks that have app credentials, and of which kind; null while the gateway can't say. */
export type AppsOfNetworks = ReadonlyMap<string, AppMode> | null

/** Without `apps`, a network is ready. */
export const catalog = (config: Settings, apps: AppsOfNetworks = null): CatalogEntry[] =>
  providers.filter((provider) => isOffered(config, provider)).flatMap((provider) => catalogEntryOf(provider, apps))

function catalogEntryOf(provider: Provider, apps: AppsOfNetworks): CatalogEntry[] {
  const network = networkOf(provider)
  if (!network) return []
  const { name, limits, note, connect } = network
  return [{ provider, name, readiness: readinessOf(network, apps), connect: connect.by, limits, note }]
}

function readinessOf({ provider, connect }: Network, apps: AppsOfNetworks): CatalogEntry['readiness'] {
  if (provider === 'sandbox') return 'sandbox-only'
  if (!apps || connect.by !== 'authorize' || !connect.needsApp) return 'production-ready'
  const mode = apps.get(provider)
  if (!mode) return 'setup-required'
  return mode === 'test' ? 'sandbox-only' : 'production-ready'
}
