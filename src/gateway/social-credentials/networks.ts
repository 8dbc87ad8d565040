import type { Config } from '#config'
import { titleOfName } from '#lib/text.ts'
import type { CredentialMode } from '../contract/credentials.ts'
import type { NetworkApp } from '../contract/social.ts'

interface CredentialSet extends Pick<NetworkApp, 'provider' | 'name' | 'credential'> {
  mode: CredentialMode
}

const names: readonly (readonly [provider: string, name: string, credential: NetworkApp['credential']])[] = [
  ['facebook', 'Facebook', 'oauth_client'],
  ['instagram', 'Instagram', 'oauth_client'],
  ['linkedin', 'LinkedIn', 'oauth_client'],
  ['linkedin-page', 'LinkedIn Page', 'oauth_client'],
  ['threads', 'Threads', 'oauth_client'],
  ['tiktok', 'TikTok', 'oauth_client'],
  ['x', 'X', 'oauth_client'],
  ['youtube', 'YouTube', 'oauth_client'],
  ['mastodon', 'Mastodon', 'registered'],
  ['bluesky', 'Bluesky', 'app_password'],
  ['discord', 'Discord', 'webhook'],
]

/** The production set of each network. The sandbox's are TikTok's in staging and the built-in network's in development. */
export const credentialSets = ({ ATRIUM_ENV, offlineHelps }: Pick<Config, 'ATRIUM_ENV' | 'offlineHelps'>) =>
  names
    .flatMap(([provider, name, credential]): CredentialSet[] => {
      const live = { provider, name, credential, mode: 'live' } as const
      return provider === 'tiktok' && ATRIUM_ENV === 'staging' ? [live, { ...live, mode: 'test' }] : [live]
    })
    .concat(offlineHelps ? [{ provider: 'sandbox', name: 'Sandbox', credential: 'built_in', mode: 'test' }] : [])

export const networkName = (provider: string): string =>
  names.find(([of]) => of === provider)?.[1] ?? titleOfName(provider)
