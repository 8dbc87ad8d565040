import { z } from 'zod'
import { plainText } from '#lib/text.ts'
import type { CredentialFamily, CredentialKind } from '../contract/credentials.ts'
import { baseUrlOf } from '../providers/known.ts'

/** Visible ASCII: it becomes a header. */
const headerText = (minLength: number) =>
  z
    .string()
    .min(minLength)
    .max(1000)
    .regex(/^[\x21-\x7e]+$/, 'Must be visible ASCII characters without spaces.')

const ApiKeySecret = z.strictObject({ apiKey: headerText(8) })
/** Of a provider that signs its webhooks. */
const SigningKeySecret = ApiKeySecret.extend({ webhookSecret: headerText(8).optional() })
const SmtpSecret = z.strictObject({ username: plainText(320).min(1), password: plainText(1000).min(1) })
const OAuthClientSecret = z.strictObject({ clientId: headerText(1), clientSecret: headerText(8) })

type SigningKeySecret = z.output<typeof SigningKeySecret>
type SmtpSecret = z.output<typeof SmtpSecret>
export type OAuthClientSecret = z.output<typeof OAuthClientSecret>

/** The members of any secret; which of them a provider has is decided by its kind. */
export type SecretMembers = Readonly<Record<string, string | undefined>>

interface ProviderKind<Secret = SecretMembers> {
  family: CredentialFamily
  kind: CredentialKind
  secret: z.ZodType<Secret>
  /** Null where only the organization knows it. */
  baseUrl: string | null
}

const keyOf = (family: CredentialFamily, baseUrl: string): ProviderKind<SigningKeySecret> => ({
  family,
  kind: 'api_key',
  secret: SigningKeySecret,
  baseUrl,
})

const appOf = (family: CredentialFamily, baseUrl: string): ProviderKind<OAuthClientSecret> => ({
  family,
  kind: 'oauth_client',
  secret: OAuthClientSecret,
  baseUrl,
})

/** Those that don’t serve models. Mastodon and Bluesky need no credential. */
interface Secrets {
  smtp: SmtpSecret
  resend: SigningKeySecret
  cloudflare_email: SigningKeySecret
  stripe: SigningKeySecret
  youtube: OAuthClientSecret
  x: OAuthClientSecret
  linkedin: OAuthClientSecret
  'linkedin-page': OAuthClientSecret
  facebook: OAuthClientSecret
  instagram: OAuthClientSecret
  threads: OAuthClientSecret
  tiktok: OAuthClientSecret
}
export type KnownProvider = keyof Secrets
export type SecretOf<Name extends KnownProvider> = Secrets[Name]

const providers: { readonly [Name in KnownProvider]: ProviderKind<Secrets[Name]> } = {
  smtp: { family: 'email', kind: 'smtp', secret: SmtpSecret, baseUrl: null },
  resend: keyOf('email', 'https://api.resend.com'),
  cloudflare_email: keyOf('email', 'https://api.cloudflare.com/client/v4'),
  stripe: keyOf('payments', 'https://api.stripe.com'),
  // Social’s accounts at YouTube use it, too.
  youtube: appOf('video', 'https://www.googleapis.com'),
  x: appOf('social', 'https://api.x.com'),
  linkedin: appOf('social', 'https://api.linkedin.com'),
  'linkedin-page': appOf('social', 'https://api.linkedin.com'),
  facebook: appOf('social', 'https://graph.facebook.com'),
  instagram: appOf('social', 'https://graph.instagram.com'),
  threads: appOf('social', 'https://graph.threads.net'),
  tiktok: appOf('social', 'https://open.tiktokapis.com'),
}

const isKnown = (provider: string): provider is KnownProvider => Object.hasOwn(providers, provider)

export const secretSchemaOf = <Name extends KnownProvider>(provider: Name): z.ZodType<SecretOf<Name>> =>
  providers[provider].secret

/** A provider that isn’t listed serves models with OpenAI’s API, mostly at a base URL of its own. */
export const kindOf = (provider: string): ProviderKind =>
  isKnown(provider)
    ? providers[provider]
    : { family: 'ai', kind: 'api_key', secret: ApiKeySecret, baseUrl: baseUrlOf(provider) ?? null }

export const servesModels = (provider: string): boolean => !isKnown(provider)

/** The member of a secret that a provider can reject, and the one by which people tell credentials apart. */
export const membersOf = {
  api_key: { proof: 'apiKey', name: 'apiKey' },
  smtp: { proof: 'password', name: 'username' },
  oauth_client: { proof: 'clientSecret', name: 'clientId' },
} as const satisfies Record<CredentialKind, { proof: string; name: string }>
