import type { Config } from '#config'
import { resolveNetworkUrl } from '#lib/network-origins.ts'
import type { Outbound } from '#lib/outbound.ts'

export interface Outside extends Outbound {
  hosts: Hosts
  /** A network's own URL, where the configuration has it requested. */
  at(address: string): URL
}

interface Hosts {
  sandbox: string
  blueskyResolver: string
  plcDirectory: string
}

type Settings = Pick<Config, 'SANDBOX_URL' | 'BLUESKY_RESOLVER_URL' | 'PLC_DIRECTORY_URL' | 'NETWORK_ORIGINS'>

/** The sandbox network is this server unless the configuration says otherwise. */
export const outsideOf = (config: Settings, own: string, outbound: Outbound): Outside => ({
  ...outbound,
  hosts: {
    sandbox: config.SANDBOX_URL ?? own,
    blueskyResolver: config.BLUESKY_RESOLVER_URL,
    plcDirectory: config.PLC_DIRECTORY_URL,
  },
  at: (address) => resolveNetworkUrl(config.NETWORK_ORIGINS, address),
})
