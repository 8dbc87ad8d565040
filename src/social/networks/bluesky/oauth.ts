import { z } from 'zod'
import { generateProofKey } from '#lib/dpop.ts'
import { conflict, invalid, Problem } from '#lib/errors.ts'
import { randomToken } from '#lib/ids.ts'
import { plainText } from '#lib/text.ts'
import { parseForm } from '../form.ts'
import type { Authorization, ConnectedAccount, ConsentCall } from '../network.ts'
import { partialConsent } from '../oauth.ts'
import { Handle, Server } from './fields.ts'
import { getIdentity, requestServer, resolveIdentity, type Identity } from './identity.ts'
import { findIssuer } from './issuer.ts'
import { storedTokens, type ProvenSession } from './proven-session.ts'
import { callXrpc } from './xrpc.ts'

const scopes = ['atproto', 'transition:generic']

/** Where people sign in who name neither their handle nor a server. */
const defaultServer = 'https://bsky.social'

const Form = z.object({
  handle: z
    .string()
    .trim()
    .transform((text) => text || undefined)
    .pipe(Handle.optional())
    .optional(),
  pds: Server,
  /** Empty in the form of the other way. */
  appPassword: z.literal('').optional(),
})

const Pending = z.object({
  session: z.object({
    issuer: z.string(),
    clientId: z.string(),
    keyId: z.string().nullable(),
    proofKey: z.string(),
  }),
  /** Null when the person named a server only. */
  identity: z.object({ did: z.string(), pds: z.string(), handles: z.array(z.string()) }).nullable(),
  redirectUri: z.string(),
  codeVerifier: z.string(),
})

/** OAuth at the server of the account (atproto.com/specs/oauth). The gateway pushes the request and exchanges the code. */
export const authorization: Authorization = {
  begin: async (form, call) => {
    const { handle, pds } = parseForm(Form, form)
    const { credentials, outside, redirectUri, signal, state } = call
    const identity = handle === undefined ? null : await resolveClaimed(handle, pds, call)
    const server = identity?.pds ?? pds ?? outside.at(defaultServer).origin
    const issuer = await findIssuer(server, call, { isAccount: identity !== null })
    const proofKey = await generateProofKey()
    const codeVerifier = randomToken()
    const codeChallenge = new Bun.CryptoHasher('sha256').update(codeVerifier).digest('base64url')
    const consent = { issuer, proofKey, redirectUri, state, codeChallenge, scope: scopes.join(' ') }
    const { authorizeUrl, clientId, keyId } = await credentials.bluesky
      .push({ ...consent, ...(handle !== undefined && { loginHint: handle }) }, signal)
      .catch((error: unknown) => {
        if (!(error instanceof Problem) || error.code !== 'oauth_unsupported') throw error
        throw invalid([{ path: handle === undefined ? 'pds' : 'handle', message: error.message }])
      })
    const session: ProvenSession = { issuer, clientId, keyId, proofKey }
    return { authorizeUrl, pending: { session, identity, redirectUri, codeVerifier } }
  },
  finish: async ({ code, issuer, pending }, call) => {
    const { session, identity, redirectUri, codeVerifier } = Pending.parse(pending)
    // A response of another server would send its code to this one.
    if (issuer !== session.issuer) throw notAuthoritative()
    const { credentials, signal } = call
    const tokens = await credentials.bluesky.exchange({ ...session, redirectUri, code, codeVerifier }, signal)
    try {
      const granted = tokens.scope.split(' ')
      const missing = scopes.filter((scope) => !granted.includes(scope))
      if (missing.length > 0) throw partialConsent('Bluesky', missing)
      const verified = await verifyAccount(tokens.did, { expected: identity, issuer }, call)
      return {
        ...(await getAccount(verified, { token: tokens.accessToken, proofKey: session.proofKey }, call)),
        tokens: storedTokens(tokens, session),
        expiresInSeconds: tokens.expiresInSeconds,
        scopes: granted,
      }
    } catch (error) {
      await credentials.bluesky.revoke({ ...session, token: tokens.refreshToken }, signal).catch(() => {})
      throw error
    }
  },
}

/** Anyone can let a name lead to an account: it is the account’s own only when the account says so, too. */
async function resolveClaimed(handle: string, pds: string | undefined, call: ConsentCall): Promise<Identity> {
  const identity = await resolveIdentity(handle, pds, call)
  if (identity.handles.includes(handle)) return { ...identity, handles: [handle] }
  throw invalid([{ path: 'handle', message: 'The account of this handle doesn’t use it. Check the handle.' }])
}

/** Any server can name any account: only the account’s own document says which server signs it in. */
async function verifyAccount(
  did: string,
  { expected, issuer }: { expected: Identity | null; issuer: string },
  call: ConsentCall,
): Promise<Identity> {
  if (expected) {
    if (did === expected.did) return expected
    throw conflict('other_account', 'You signed in with another account than the one that you entered.')
  }
  const identity = await getIdentity(did, call)
  if ((await findIssuer(identity.pds, call, { isAccount: true })) !== issuer) throw notAuthoritative()
  return identity
}

const notAuthoritative = (): Problem =>
  new Problem(502, 'provider_error', 'Bluesky: the server that responded doesn’t sign this account in.')

const Profile = z.object({ did: z.string(), handle: plainText(300) })

async function getAccount(
  { did, pds, handles }: Identity,
  access: { token: string; proofKey: string },
  { outside, signal }: ConsentCall,
): Promise<Pick<ConnectedAccount, 'externalId' | 'name' | 'metadata'>> {
  const response = await requestServer(`the server ${pds}`, () =>
    callXrpc(outside, pds, 'com.atproto.server.getSession', { params: {}, ...access, signal }),
  )
  const profile = Profile.safeParse(response.ok ? await response.json().catch(() => null) : null)
  if (!profile.success || profile.data.did !== did)
    throw new Problem(502, 'provider_error', `Bluesky: ${pds} returned an unexpected response for this account.`)
  const { handle } = profile.data
  return { externalId: did, name: handle === 'handle.invalid' ? (handles[0] ?? did) : handle, metadata: { pds } }
}
