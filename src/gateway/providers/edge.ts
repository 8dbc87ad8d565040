import type { Config } from '#config'
import type { ProviderCredential } from '../credentials/resolve.ts'
import { baseUrlOf, practiceProvider } from './known.ts'

interface EdgeRoute {
  baseUrl: string
  headers: Record<string, string>
}

/**
 * The edge AI gateway as transport (GTW-13), for providers with a route there. A credential with a base URL of its own
 * isn’t sent through it.
 */
export function edgeRoute(
  config: Config,
  { provider, baseUrl }: Pick<ProviderCredential, 'provider' | 'baseUrl'>,
): EdgeRoute | null {
  const { EDGE_AI_GATEWAY_URL: base, EDGE_AI_GATEWAY_TOKEN: token, EDGE_AI_GATEWAY_ROUTES: routes } = config
  const route = base === undefined ? undefined : routes.get(provider)
  if (route === undefined || (provider !== practiceProvider && baseUrl !== baseUrlOf(provider))) return null
  return {
    baseUrl: `${base?.replace(/\/+$/, '')}/${route}`,
    headers: token === undefined ? {} : { 'cf-aig-authorization': `Bearer ${token}` },
  }
}
