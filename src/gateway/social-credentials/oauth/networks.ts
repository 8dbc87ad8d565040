import type { KnownProvider } from '../../credentials/kinds.ts'

/** Networks whose apps an operator or an organization creates, with their endpoints and what is unusual there. */
export interface OAuthNetwork {
  name: string
  tokenUrl: string
  /** How the client authenticates at its token endpoint. `key` is a form, too, with a name of its own for the client ID. */
  client: 'basic' | 'form' | 'key'
  revokeUrl?: string
  /** The token alone, without the client. */
  revokesByToken?: true
  /** Access tokens of an hour are exchanged for those of 60 days, which are also what refreshes them. */
  longLived?: LongLived
}

export interface LongLived {
  exchangeUrl: string
  exchangeGrant: string
  /** Where the token of an hour is in that request; Facebook’s has the client ID, too. */
  exchangeField: 'access_token' | 'fb_exchange_token'
  /** Without one, people have to sign in again. */
  refresh?: { url: string; grant: string }
}

const oauthNetworks = {
  x: {
    name: 'X',
    tokenUrl: 'https://api.x.com/2/oauth2/token',
    client: 'basic',
    revokeUrl: 'https://api.x.com/2/oauth2/revoke',
  },
  linkedin: {
    name: 'LinkedIn',
    tokenUrl: 'https://www.linkedin.com/oauth/v2/accessToken',
    client: 'form',
    revokeUrl: 'https://www.linkedin.com/oauth/v2/revoke',
  },
  'linkedin-page': { name: 'LinkedIn', tokenUrl: 'https://www.linkedin.com/oauth/v2/accessToken', client: 'form' },
  facebook: {
    name: 'Facebook',
    tokenUrl: 'https://graph.facebook.com/v23.0/oauth/access_token',
    client: 'form',
    longLived: {
      exchangeUrl: 'https://graph.facebook.com/v23.0/oauth/access_token',
      exchangeGrant: 'fb_exchange_token',
      exchangeField: 'fb_exchange_token',
    },
  },
  instagram: {
    name: 'Instagram',
    tokenUrl: 'https://api.instagram.com/oauth/access_token',
    client: 'form',
    longLived: {
      exchangeUrl: 'https://graph.instagram.com/access_token',
      exchangeGrant: 'ig_exchange_token',
      exchangeField: 'access_token',
      refresh: { url: 'https://graph.instagram.com/refresh_access_token', grant: 'ig_refresh_token' },
    },
  },
  threads: {
    name: 'Threads',
    tokenUrl: 'https://graph.threads.net/oauth/access_token',
    client: 'form',
    longLived: {
      exchangeUrl: 'https://graph.threads.net/access_token',
      exchangeGrant: 'th_exchange_token',
      exchangeField: 'access_token',
      refresh: { url: 'https://graph.threads.net/refresh_access_token', grant: 'th_refresh_token' },
    },
  },
  tiktok: {
    name: 'TikTok',
    tokenUrl: 'https://open.tiktokapis.com/v2/oauth/token/',
    client: 'key',
    revokeUrl: 'https://open.tiktokapis.com/v2/oauth/revoke/',
  },
  youtube: {
    name: 'YouTube',
    tokenUrl: 'https://oauth2.googleapis.com/token',
    client: 'form',
    revokeUrl: 'https://oauth2.googleapis.com/revoke',
    revokesByToken: true,
  },
} as const satisfies Partial<Record<KnownProvider, OAuthNetwork>>

export type OAuthProvider = keyof typeof oauthNetworks

export const networkFacts = (provider: OAuthProvider): OAuthNetwork => oauthNetworks[provider]

export const oauthProviders = [
  'x',
  'linkedin',
  'linkedin-page',
  'facebook',
  'instagram',
  'threads',
  'tiktok',
  'youtube',
] as const satisfies OAuthProvider[]
