import type { Config } from '#config'
import type { Outbound } from '#lib/outbound.ts'

/** How networks are reached: the guarded door outward, and the addresses that aren't the accounts' own. */
export interface Outside extends Outbound {
  hosts: Hosts
}

interface Hosts {
  /** The sandbox network. */
  sandbox: string
  /** Tells the DID of a Bluesky handle. */
  blueskyResolver: string
  /** Tells where the account of a DID lives. */
  plcDirectory: string
}

type Settings = Pick<Config, 'SANDBOX_URL' | 'BLUESKY_RESOLVER_URL' | 'PLC_DIRECTORY_URL'>

/** The outside by the configuration; the sandbox network is this server unless it says otherwise. */
export const outsideOf = (config: Settings, own: string, outbound: Outbound): Outside => ({
  ...outbound,
  hosts: {
    sandbox: config.SANDBOX_URL ?? own,
    blueskyResolver: config.BLUESKY_RESOLVER_URL,
    plcDirectory: config.PLC_DIRECTORY_URL,
  },
})
