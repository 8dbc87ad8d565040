import type { Call } from '#lib/call.ts'

export interface Provider {
  /** A configured name, or the id of an organization with single sign-on. */
  id: string
  name: string
  kind: 'oidc' | 'github'
  issuer: string
  clientId: string
  clientSecret: string
  /** Set for an organization’s single sign-on, which signs in to that organization alone. */
  own?: OwnProvider
}

export interface OwnProvider {
  organizationId: string
  /** Email domains: those that the organization has verified, and all that it listed. */
  domains: { verified: string[]; all: string[] }
}

export interface ProviderPerson {
  issuer: string
  /** Unique within the issuer and never reused. */
  subject: string
  name: string | null
  /** Lowercase; null unless the provider has verified it. */
  verifiedEmail: string | null
}

/** Binds a provider’s response to the browser that started the sign-in. */
export interface OAuthTransaction {
  state: string
  nonce: string
  codeVerifier: string
  redirectUri: string
}

export interface AuthorizationResponse {
  code: string
  /** RFC 9207: the responding issuer. */
  iss?: string
}

export type ProviderContext = Pick<Call, 'outbound' | 'now'>

export interface Protocol {
  /** @throws ProviderFailure */
  authorizeUrl(provider: Provider, transaction: OAuthTransaction, context: ProviderContext): Promise<URL>
  /** @throws ProviderFailure */
  identify(
    provider: Provider,
    answer: AuthorizationResponse,
    transaction: OAuthTransaction,
    context: ProviderContext,
  ): Promise<ProviderPerson>
}

export const failures = [
  'denied',
  'expired',
  'failed',
  'unverified',
  'known',
  'elsewhere',
  'outsider',
  'unproven',
] as const
export type Failure = (typeof failures)[number]

export class ProviderFailure extends Error {
  readonly reason: Failure

  constructor(reason: Failure, detail: string, cause?: unknown) {
    super(detail, { cause })
    this.reason = reason
  }
}
