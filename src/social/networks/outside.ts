import type { Config } from '#config'
import type { Outbound } from '#lib/outbound.ts'

export interface Outside extends Outbound {
  hosts: Hosts
}

interface Hosts {
  sandbox: string
  blueskyResolver: string
  plcDirectory: string
}

type Settings = Pick<Config, 'SANDBOX_URL' | 'BLUESKY_RESOLVER_URL' | 'PLC_DIRECTORY_URL'>

/** The sandbox network is this server unless the configuration says otherwise. */
export const outsideOf = (config: Settings, own: string, outbound: Outbound): Outside => ({
  ...outbound,
  hosts: {
    sandbox: config.SANDBOX_URL ?? own,
    blueskyResolver: config.BLUESKY_RESOLVER_URL,
    plcDirectory: config.PLC_DIRECTORY_URL,
  },
})
