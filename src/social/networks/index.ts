import type { Config } from '#config'
import { providers, type Integration, type Provider } from '../contract.ts'
import { planned } from './catalog.ts'
import type { Network } from './network.ts'
import { sandbox } from './sandbox.ts'

const built = new Map<string, Network>([[sandbox.provider, sandbox]])

/** The network of a provider; null while it isn't built. */
export const networkOf = (provider: string): Network | null => built.get(provider) ?? null

export type CatalogEntry = Pick<Integration, 'provider' | 'name' | 'readiness' | 'connect' | 'limits' | 'note'>

/** Every network that a workspace sees, planned ones included; the sandbox in development and test only (SOC-08). */
export const catalog = (config: Pick<Config, 'offlineHelps'>): CatalogEntry[] =>
  providers.filter((provider) => config.offlineHelps || provider !== 'sandbox').map(entryOf)

function entryOf(provider: Provider): CatalogEntry {
  if (provider === 'sandbox') {
    const { name, limits, connect } = sandbox
    const note = 'A practice network: nothing leaves this server.'
    return { provider, name, readiness: 'sandbox-only', connect, limits, note }
  }
  return { provider, readiness: 'planned', connect: 'none', ...planned[provider] }
}
