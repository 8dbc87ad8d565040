import type { Call } from '#lib/call.ts'

/** Who elsewhere can tell who somebody is. */
export interface Provider {
  /** Its part of addresses: a name of the configuration, or the id of the organization whose own it is. */
  id: string
  /** As people read it. */
  name: string
  kind: 'oidc' | 'github'
  issuer: string
  clientId: string
  clientSecret: string
  /** Set for an organization's own: what it says counts there and nowhere else. */
  own?: OwnProvider
}

/** Whose a provider is, and whom it may bring. */
export interface OwnProvider {
  organizationId: string
  /** E-mail domains that the organization has proven, and those that it named only. */
  domains: { verified: string[]; all: string[] }
}

/** What a provider told of somebody. */
export interface UpstreamPerson {
  issuer: string
  /** The issuer's own name for them, which never becomes another's. */
  subject: string
  name: string | null
  /** In lowercase, and only where the provider itself has verified it. */
  verifiedEmail: string | null
}

/** What ties a provider's answer to the request for it. */
export interface OAuthTransaction {
  state: string
  nonce: string
  codeVerifier: string
  redirectUri: string
}

/** What a provider sends a person back with. */
export interface AuthorizationResponse {
  code: string
  /** RFC 9207: who answers, where it says so. */
  iss?: string
}

export type ProviderContext = Pick<Call, 'outbound' | 'now'>

/** How one kind of provider is spoken to. */
export interface Protocol {
  /** Where the person says yes. Throws an UpstreamFailure. */
  authorizeUrl(provider: Provider, transaction: OAuthTransaction, context: ProviderContext): Promise<URL>
  /** Who came back. Throws an UpstreamFailure. */
  identify(
    provider: Provider,
    answer: AuthorizationResponse,
    transaction: OAuthTransaction,
    context: ProviderContext,
  ): Promise<UpstreamPerson>
}

/**
 * Why nobody was signed in: the person said no; the way there was begun elsewhere or too long ago; the provider answered
 * with what can't be trusted; it gave no verified address; the address has an account, or the identity another one's; the
 * organization has no such domain, or hasn't proven that it has.
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

/** A sign-in by a provider that came to nothing. */
export class UpstreamFailure extends Error {
  readonly reason: Failure

  constructor(reason: Failure, detail: string, cause?: unknown) {
    super(detail, { cause })
    this.reason = reason
  }
}
