import type { Call } from '#lib/call.ts'
import { conflict } from '#lib/errors.ts'
import { resolveNetworkUrl } from '#lib/network-origins.ts'
import type { CredentialMode } from '../../contract/credentials.ts'
import { kindOf, type OAuthClientSecret } from '../../credentials/kinds.ts'
import { resolveCredential, type ProviderCredential } from '../../credentials/resolve.ts'
import { networkFacts, type OAuthProvider } from './networks.ts'

export type Resolving = Pick<Call, 'db' | 'secrets' | 'config' | 'upstreams'>
export type AppCredential = ProviderCredential<OAuthClientSecret> & { mode: CredentialMode }

interface AppOwner {
  provider: OAuthProvider
  organizationId: string
}

/** The organization's own first, then the platform's; each with the one that it replaces during a rotation. */
export async function listAppCredentials(
  call: Resolving,
  { provider, organizationId }: AppOwner,
): Promise<AppCredential[]> {
  // TikTok’s sandbox is for staging alone, where it comes first (SOC-06).
  const modes: CredentialMode[] =
    provider === 'tiktok' && call.config.ATRIUM_ENV === 'staging' ? ['test', 'live'] : ['live']
  const resolved = await Promise.all(
    modes.flatMap((mode) =>
      [organizationId, null].map(async (owner) => {
        const payer = { provider, organizationId: owner, test: mode === 'test' }
        const credential = await resolveCredential(call, payer)
        return [credential, credential?.old].flatMap((each) => (each ? [{ ...each, mode }] : []))
      }),
    ),
  )
  const found = resolved.flat()
  return [...new Map(found.map((credential) => [credential.id, credential])).values()]
}

/**
 * Those of one client: its secret can be being rotated. The platform’s, if it has that client: an organization that stores
 * its public ID with another base URL must not receive tokens.
 */
export async function findClient(call: Resolving, owner: AppOwner, clientId: string): Promise<AppCredential[]> {
  const found = await listAppCredentials(call, owner)
  const same = found.filter(({ secret }) => secret.clientId === clientId)
  const platform = same.filter(({ level }) => level === 'platform')
  return platform.length > 0 ? platform : same
}

/** @throws {Problem} 409 `app_missing` */
export async function requireClient(call: Resolving, owner: AppOwner, clientId: string): Promise<AppCredential[]> {
  const found = await findClient(call, owner, clientId)
  if (found.length === 0) throw appMissing(owner.provider)
  return found
}

export const appMissing = (provider: OAuthProvider) => {
  const { name } = networkFacts(provider)
  return conflict('app_missing', `The app credentials of ${name} are missing. Set them in the gateway.`, { provider })
}

/** A credential's own base URL replaces the origin of the network. */
export function endpointOf(
  { config }: Pick<Resolving, 'config'>,
  { provider, baseUrl }: AppCredential,
  url: string,
): URL {
  if (baseUrl === kindOf(provider).baseUrl) return resolveNetworkUrl(config.NETWORK_ORIGINS, url)
  return new URL(new URL(url).pathname, baseUrl)
}
