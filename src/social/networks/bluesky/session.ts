import { z } from 'zod'
import { invalid, Problem } from '#lib/errors.ts'
import { plainText } from '#lib/text.ts'
import { checkedForm } from '../form.ts'
import { interrupted, refusal } from '../http.ts'
import type { ConnectCall, Metadata, NetworkCall, Renewal, SignedIn } from '../network.ts'
import { ServerAddress } from '../server-address.ts'
import { identityOf, reached } from './identity.ts'
import { errorName, refusesToken, xrpc } from './xrpc.ts'

/** What is kept of a session. The app password is not. */
export const Tokens = z.object({ access: z.string(), refresh: z.string() })

const Kept = z.object({ pds: z.string() })
/** The server that an account lives on. */
export const pdsOf = (metadata: Metadata): string => Kept.parse(metadata).pds

const Form = z.object({
  handle: z
    .string('Enter your handle.')
    .transform(asHandle)
    .pipe(z.string().regex(/^([a-z0-9-]{1,63}\.)+[a-z][a-z0-9-]{0,62}$/, 'Must be a handle such as you.bsky.social.')),
  appPassword: z
    .string('Enter an app password.')
    .trim()
    .regex(
      /^[a-z0-9]{4}(-[a-z0-9]{4}){3}$/i,
      'Must be an app password such as abcd-efgh-ijkl-mnop, not the account’s own.',
    ),
  pds: z
    .string()
    .trim()
    .transform((text) => text || undefined)
    .pipe(ServerAddress.optional())
    .optional(),
})

/** `@Ada` is ada.bsky.social; invisible marks come along when a handle is copied. */
function asHandle(text: string): string {
  const bare = text
    .replaceAll(/\p{Cf}/gu, '')
    .trim()
    .replace(/^@/, '')
    .toLowerCase()
  return bare === '' || bare.includes('.') ? bare : `${bare}.bsky.social`
}

const Session = z.object({ did: z.string(), handle: plainText(300), accessJwt: z.string(), refreshJwt: z.string() })

/** Opens a session by app password. Throws 422 for a handle or password that isn't right, 502, 503. */
export async function signIn(form: unknown, call: ConnectCall): Promise<SignedIn> {
  const { handle, appPassword: password, pds: told } = checkedForm(Form, form)
  const { did, pds } = await identityOf(handle, told, call)
  const response = await reached(`the server ${pds}`, () =>
    xrpc(call.outside, pds, 'com.atproto.server.createSession', {
      json: { identifier: did, password },
      signal: call.signal,
    }),
  )
  if (!response.ok) throw await refusedSignIn(response)
  const session = Session.safeParse(await response.json().catch(() => null))
  if (!session.success || session.data.did !== did)
    throw new Problem(502, 'provider_error', `Bluesky: ${pds} didn’t respond like the server of this account.`)
  const { accessJwt: access, refreshJwt: refresh } = session.data
  const name = session.data.handle === 'handle.invalid' ? handle : session.data.handle
  return { externalId: did, name, metadata: { pds }, tokens: { access, refresh }, scopes: ['app_password'] }
}

async function refusedSignIn(response: Response): Promise<Problem> {
  if (response.status === 401) {
    const message = 'Incorrect handle or app password. Create a new app password on Bluesky if you don’t have it.'
    return invalid([{ path: 'appPassword', message }])
  }
  const { message } = await refusal('Bluesky', response)
  return response.status === 429
    ? new Problem(503, 'provider_rate_limited', `${message} Too many sign-in attempts. Try again in a few minutes.`)
    : new Problem(502, 'provider_error', message)
}

/** A new pair of tokens for the refresh token, which is good for one use. */
export async function renew({ account, outside, signal }: NetworkCall): Promise<Renewal> {
  try {
    const { refresh: token } = Tokens.parse(account.tokens)
    const response = await xrpc(outside, pdsOf(account.metadata), 'com.atproto.server.refreshSession', {
      token,
      signal,
    })
    if (response.ok) {
      const { accessJwt: access, refreshJwt: refresh } = Session.parse(await response.json())
      return { kind: 'renewed', tokens: { access, refresh } }
    }
    const definite = (await refusesToken(response)) || gone.has(await errorName(response))
    const { message } = await refusal('Bluesky', response)
    return { kind: definite ? 'signed_out' : 'later', message }
  } catch (error) {
    return { kind: 'later', message: interrupted('Bluesky', error).message }
  }
}

const gone = new Set(['AccountTakedown', 'AccountDeactivated', 'AccountSuspended'])

/** Ends the session, where its server answers. */
export async function revoke({ account, outside, signal }: NetworkCall): Promise<void> {
  try {
    const { refresh: token } = Tokens.parse(account.tokens)
    await xrpc(outside, pdsOf(account.metadata), 'com.atproto.server.deleteSession', { token, signal })
  } catch {
    // The session ends by itself when it isn't renewed.
  }
}
