import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { Problem } from '#lib/errors.ts'
import { resolveNetworkUrl } from '#lib/network-origins.ts'
import { attributionOf, type Attribution } from '../ai/attribution.ts'
import { kindOf, type OAuthClientSecret } from '../credentials/kinds.ts'
import { resolveCredential, type ProviderCredential } from '../credentials/resolve.ts'
import { findClient } from '../social-credentials/oauth/app-credentials.ts'

export type VideoCall = Call<unknown, Actor>

type ProviderAddress = Pick<ProviderCredential, 'level' | 'provider' | 'baseUrl'>

/** YouTube, called for a user. */
export interface VideoProvider extends ProviderAddress {
  /** Whose quota is used. */
  project: string
  /** The user’s, never stored. */
  token: string
  attribution: Attribution
}

const tokenHeader = 'X-Provider-Authorization'
const clientHeader = 'X-Provider-Client-Id'

/** @throws {Problem} 400 without a token or its client ID, 422 `credential_missing`, and as `attributionOf` */
export async function videoProvider(call: VideoCall): Promise<VideoProvider> {
  const token = providerToken(call)
  const attribution = await attributionOf(call)
  const app = await appOfToken(call, attribution)
  const { project, ...address } = app
  if (project !== null) return { ...address, project, token, attribution }
  if (app.level === 'practice') return { ...address, project: projectOfToken(token), token, attribution }
  throw new Problem(
    422,
    'credential_missing',
    'The client ID of the credential for youtube doesn’t begin with the number of a Google project. Replace it.',
  )
}

/**
 * Only the app that a token belongs to gets it, as when the token is refreshed: an organization’s own credential can have
 * any base URL. Practice tokens belong to none. @throws {Problem} 400, 422 `credential_missing`
 */
async function appOfToken(call: VideoCall, attribution: Attribution): Promise<VideoApp> {
  const { organizationId } = attribution
  const clientId = call.request.headers.get(clientHeader)
  if (clientId !== null) {
    const [found] = await findClient(call, { provider: 'youtube', organizationId }, clientId)
    if (found) return appOfCredential(call, found)
    throw new Problem(
      422,
      'credential_missing',
      `There is no credential for youtube with the client ID in ${clientHeader}. Add that OAuth client under the organization’s credentials, or connect the account again.`,
    )
  }
  const app = await videoApp(call, attribution)
  if (app?.level === 'practice') return app
  if (app)
    throw new Problem(
      400,
      'provider_authorization_required',
      `Send the client ID of the app that the user’s token belongs to in the header ${clientHeader}.`,
    )
  throw new Problem(
    422,
    'credential_missing',
    'There is no credential for youtube. Add the OAuth client under the organization’s credentials.',
  )
}

export interface VideoApp extends ProviderAddress {
  /** Null for the practice provider, whose tokens name it, and for a client ID that isn’t Google’s. */
  project: string | null
}

/** The organization’s OAuth client, else the platform’s; in development and tests the practice provider’s. */
export async function videoApp(
  call: Pick<VideoCall, 'db' | 'secrets' | 'config' | 'upstreams'>,
  payer: { organizationId: string; test: boolean },
): Promise<VideoApp | null> {
  // In staging the sandbox set (GTW-02).
  const test = payer.test || call.config.ATRIUM_ENV === 'staging'
  const found = await resolveCredential(call, { ...payer, test, provider: 'youtube' })
  if (found) return appOfCredential(call, found)
  const { offlineHelps, VIDEO_URL } = call.config
  return offlineHelps
    ? { level: 'practice', provider: 'practice', baseUrl: VIDEO_URL ?? '/dev/video', project: null }
    : null
}

function appOfCredential(
  { config }: Pick<VideoCall, 'config'>,
  { level, provider, secret, ...found }: ProviderCredential<OAuthClientSecret>,
): VideoApp {
  // A base URL of its own replaces the provider’s origin, wherever that is.
  const isOwn = found.baseUrl !== kindOf(provider).baseUrl
  const baseUrl = isOwn ? found.baseUrl : resolveNetworkUrl(config.NETWORK_ORIGINS, found.baseUrl).origin
  return { level, provider, baseUrl, project: projectOf(secret.clientId) }
}

/** Client IDs have the form `123456789012-abc.apps.googleusercontent.com`. */
const projectOf = (clientId: string): string | null => /^(\d{3,20})-/.exec(clientId)?.[1] ?? null

/** Of the practice provider, for tokens without one. */
export const practiceProject = '123456789012'

const projectOfToken = (token: string): string => /^ya29\.(\d{3,20})\./.exec(token)?.[1] ?? practiceProject

/** @throws {Problem} 400 */
function providerToken({ request }: Pick<VideoCall, 'request'>): string {
  const [, token] = /^Bearer ([\x21-\x7e]{1,4096})$/i.exec(request.headers.get(tokenHeader) ?? '') ?? []
  if (token !== undefined) return token
  throw new Problem(
    400,
    'provider_authorization_required',
    `Send the user’s access token for YouTube in the header ${tokenHeader}: Bearer …. It isn’t stored, so each request needs it.`,
  )
}
