import type { KnownProvider } from '../credentials/kinds.ts'

/** Networks whose apps an operator or an organization creates, with their endpoints and what is unusual there. */
interface OAuthNetwork {
  name: string
  tokenUrl: string
  /** How the client authenticates at its token endpoint. */
  client: 'basic' | 'form'
  revokeUrl?: string
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
  youtube: {
    name: 'YouTube',
    tokenUrl: 'https://oauth2.googleapis.com/token',
    client: 'form',
    revokeUrl: 'https://oauth2.googleapis.com/revoke',
  },
} as const satisfies Partial<Record<KnownProvider, OAuthNetwork>>

export type OAuthProvider = keyof typeof oauthNetworks

export const networkFacts = (provider: OAuthProvider): OAuthNetwork => oauthNetworks[provider]

export const oauthProviders = ['x', 'linkedin', 'linkedin-page', 'youtube'] as const satisfies OAuthProvider[]
