import { createHmac, timingSafeEqual } from 'node:crypto'
import type { OAuthClientSecret } from '../../credentials/kinds.ts'
import { resolveCredential, type ProviderCredential } from '../../credentials/resolve.ts'
import { listAppCredentials, type Resolving } from './app-credentials.ts'

/** Networks that call back with a request that the app’s secret signs. */
type SigningProvider = 'instagram'

interface SignedRequest {
  provider: SigningProvider
  /** Null for the platform’s app. */
  organizationId: string | null
  /** Null for any of them. */
  clientId: string | null
  signedRequest: string
}

/** Whether one of the apps signed it: the organization’s own before the platform’s. */
export async function isSignedByApp(
  call: Resolving,
  { provider, organizationId, clientId, signedRequest }: SignedRequest,
): Promise<boolean> {
  const found = await listApps(call, { provider, organizationId })
  const platform = found.filter(({ level }) => level === 'platform')
  const same = found.filter(({ secret }) => clientId === null || secret.clientId === clientId)
  // An organization that stores the public ID of the platform’s app can’t sign for it.
  const isOfPlatform = platform.some(({ secret }) => secret.clientId === clientId)
  return (isOfPlatform ? platform : same).some(({ secret }) => isSignedWith(secret.clientSecret, signedRequest))
}

async function listApps(
  call: Resolving,
  { provider, organizationId }: Pick<SignedRequest, 'provider' | 'organizationId'>,
): Promise<ProviderCredential<OAuthClientSecret>[]> {
  if (organizationId !== null) return listAppCredentials(call, { provider, organizationId })
  const platform = await resolveCredential(call, { provider, organizationId: null, test: false })
  return [platform, platform?.old].filter((credential) => credential != null)
}

/** The signature is over the encoded payload. */
function isSignedWith(secret: string, signedRequest: string): boolean {
  const [signature = '', payload = ''] = signedRequest.split('.')
  const expected = createHmac('sha256', secret).update(payload).digest()
  const given = Buffer.from(signature, 'base64url')
  return given.length === expected.length && timingSafeEqual(given, expected)
}
