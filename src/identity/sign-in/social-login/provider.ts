import type { Call } from '#lib/call.ts'

/** A provider that people sign in with. */
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

/** The organization of a provider, and the email domains that it can sign in. */
export interface OwnProvider {
  organizationId: string
  /** Email domains: those that the organization has verified, and all that it listed. */
  domains: { verified: string[]; all: string[] }
}

export interface UpstreamPerson {
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
  /** @throws UpstreamFailure */
  authorizeUrl(provider: Provider, transaction: OAuthTransaction, context: ProviderContext): Promise<URL>
  /** @throws UpstreamFailure */
  identify(
    provider: Provider,
    answer: AuthorizationResponse,
    transaction: OAuthTransaction,
    context: ProviderContext,
  ): Promise<UpstreamPerson>
}

/**
 * Why a sign-in failed: denied by the person; expired, or started in another browser; an untrusted or invalid response;
 * no verified email address; the address has an account; the identity belongs to another account; the address is
 * outside the organization’s domains, or at one that it hasn’t verified.
 */
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

export class UpstreamFailure extends Error {
  readonly reason: Failure

  constructor(reason: Failure, detail: string, cause?: unknown) {
    super(detail, { cause })
    this.reason = reason
  }
}
