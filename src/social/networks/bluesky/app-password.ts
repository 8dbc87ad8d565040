import { z } from 'zod'
import { invalid, Problem } from '#lib/errors.ts'
import { parseForm } from '../form.ts'
import { readRefusal } from '../http.ts'
import type { ConnectCall, ConnectedAccount } from '../network.ts'
import { Handle, Server } from './fields.ts'
import { resolveIdentity, requestServer } from './identity.ts'
import { Session } from './session.ts'
import { callXrpc } from './xrpc.ts'

const Form = z.object({
  handle: Handle,
  appPassword: z
    .string('Enter an app password.')
    .trim()
    .regex(
      /^[a-z0-9]{4}(-[a-z0-9]{4}){3}$/i,
      'Must be an app password, such as abcd-efgh-ijkl-mnop. Don’t use your account password.',
    ),
  pds: Server,
})

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
