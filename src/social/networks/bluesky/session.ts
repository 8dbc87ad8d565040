import { z } from 'zod'
import { invalid, Problem } from '#lib/errors.ts'
import { plainText } from '#lib/text.ts'
import { parseForm } from '../form.ts'
import { classifyStepFailure, readRefusal } from '../http.ts'
import type { ConnectCall, Metadata, NetworkCall, Renewal, ConnectedAccount } from '../network.ts'
import { ServerAddress } from '#lib/outbound/server-address.ts'
import { resolveIdentity, requestServer } from './identity.ts'
import { readErrorName, isTokenRefused, callXrpc } from './xrpc.ts'

/** The app password isn't stored. */
export const Tokens = z.object({ access: z.string(), refresh: z.string() })

const AccountMetadata = z.object({ pds: z.string() })
export const pdsOf = (metadata: Metadata): string => AccountMetadata.parse(metadata).pds

const Form = z.object({
  handle: z
    .string('Enter your handle.')
    .transform(toHandle)
    .pipe(z.string().regex(/^([a-z0-9-]{1,63}\.)+[a-z][a-z0-9-]{0,62}$/, 'Must be a handle such as you.bsky.social.')),
  appPassword: z
    .string('Enter an app password.')
    .trim()
    .regex(
      /^[a-z0-9]{4}(-[a-z0-9]{4}){3}$/i,
      'Must be an app password, such as abcd-efgh-ijkl-mnop. Don’t use your account password.',
    ),
  pds: z
    .string()
    .trim()
    .transform((text) => text || undefined)
    .pipe(ServerAddress.optional())
    .optional(),
})

/** `@Ada` is ada.bsky.social. Copied handles can contain invisible characters. */
function toHandle(text: string): string {
  const bare = text
    .replaceAll(/\p{Cf}/gu, '')
    .trim()
    .replace(/^@/, '')
    .toLowerCase()
  return bare === '' || bare.includes('.') ? bare : `${bare}.bsky.social`
}

const Session = z.object({ did: z.string(), handle: plainText(300), accessJwt: z.string(), refreshJwt: z.string() })

/** @throws {Problem} 422 for a wrong handle or password, 502, 503 */
export async function signIn(form: unknown, call: ConnectCall): Promise<ConnectedAccount> {
  const { handle, appPassword: password, pds: server } = parseForm(Form, form)
  const { did, pds } = await resolveIdentity(handle, server, call)
  const response = await requestServer(`the server ${pds}`, () =>
    callXrpc(call.outside, pds, 'com.atproto.server.createSession', {
      json: { identifier: did, password },
      signal: call.signal,
    }),
  )
  if (!response.ok) throw await readSignInRefusal(response)
  const session = Session.safeParse(await response.json().catch(() => null))
  if (!session.success || session.data.did !== did)
    throw new Problem(502, 'provider_error', `Bluesky: ${pds} returned an unexpected response for this account.`)
  const { accessJwt: access, refreshJwt: refresh } = session.data
  const name = session.data.handle === 'handle.invalid' ? handle : session.data.handle
  return { externalId: did, name, metadata: { pds }, tokens: { access, refresh }, scopes: ['app_password'] }
}

async function readSignInRefusal(response: Response): Promise<Problem> {
  if (response.status === 401) {
    const message =
      'Incorrect handle or app password. If you no longer have the app password, create a new one on Bluesky.'
    return invalid([{ path: 'appPassword', message }])
  }
  const { message } = await readRefusal('Bluesky', response)
  return response.status === 429
    ? new Problem(503, 'provider_rate_limited', `${message} Too many sign-in attempts. Try again in a few minutes.`)
    : new Problem(502, 'provider_error', message)
}

/** The refresh token can be used once. */
export async function renew({ account, outside, signal }: NetworkCall): Promise<Renewal> {
  try {
    const { refresh: token } = Tokens.parse(account.tokens)
    const response = await callXrpc(outside, pdsOf(account.metadata), 'com.atproto.server.refreshSession', {
      token,
      signal,
    })
    if (response.ok) {
      const { accessJwt: access, refreshJwt: refresh } = Session.parse(await response.json())
      return { kind: 'renewed', tokens: { access, refresh } }
    }
    const definite = (await isTokenRefused(response)) || closedAccountErrors.has(await readErrorName(response))
    const { message } = await readRefusal('Bluesky', response)
    return { kind: definite ? 'signed_out' : 'later', message }
  } catch (error) {
    return { kind: 'later', message: classifyStepFailure('Bluesky', error).message }
  }
}

const closedAccountErrors = new Set(['AccountTakedown', 'AccountDeactivated', 'AccountSuspended'])

export async function revoke({ account, outside, signal }: NetworkCall): Promise<void> {
  try {
    const { refresh: token } = Tokens.parse(account.tokens)
    await callXrpc(outside, pdsOf(account.metadata), 'com.atproto.server.deleteSession', { token, signal })
  } catch {
    // The session expires when it isn't renewed.
  }
}
