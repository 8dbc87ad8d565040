/** Origins that replace those of providers, by host: such as counterparts in tests, or a proxy. */
export type NetworkOrigins = ReadonlyMap<string, string>

/** Of a provider's URL, where it is requested. */
export function resolveNetworkUrl(origins: NetworkOrigins, address: string): URL {
  const url = new URL(address)
  const origin = origins.get(url.host)
  return origin === undefined ? url : new URL(`${url.pathname}${url.search}`, origin)
}
