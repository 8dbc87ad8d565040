import { z } from 'zod'
import { plainText } from '#lib/text.ts'
import { classifyStepFailure, readRefusal } from '../http.ts'
import type { Metadata, NetworkCall, Renewal, TokenCall, Tokens } from '../network.ts'
import { isProven, proofKeyOf, renewProven, revokeProven } from './proven-session.ts'
import { readErrorName, isTokenRefused, callXrpc } from './xrpc.ts'

const SessionTokens = z.object({ access: z.string(), refresh: z.string() })

/** For a call as the account. */
export const accessOf = (tokens: Tokens): { token: string; proofKey: string | undefined } => ({
  token: SessionTokens.parse(tokens).access,
  proofKey: proofKeyOf(tokens),
})

const AccountMetadata = z.object({ pds: z.string() })
export const pdsOf = (metadata: Metadata): string => AccountMetadata.parse(metadata).pds

export const Session = z.object({
  did: z.string(),
  handle: plainText(300),
  accessJwt: z.string(),
  refreshJwt: z.string(),
})

/** A week after they expired: refresh tokens end when they aren’t used for some months. App passwords say no expiry. */
export const refreshAheadMs = -7 * 24 * 60 * 60_000

export const renew = (call: TokenCall): Promise<Renewal> =>
  isProven(call.account.tokens) ? renewProven(call) : renewSession(call)

export const revoke = (call: TokenCall): Promise<boolean> =>
  isProven(call.account.tokens) ? revokeProven(call) : deleteSession(call)

/** The refresh token can be used once. */
async function renewSession({ account, outside, signal }: NetworkCall): Promise<Renewal> {
  try {
    const { refresh: token } = SessionTokens.parse(account.tokens)
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

/** A session that isn’t deleted expires when it isn’t renewed. */
async function deleteSession({ account, outside, signal }: NetworkCall): Promise<boolean> {
  try {
    const { refresh: token } = SessionTokens.parse(account.tokens)
    const { status } = await callXrpc(outside, pdsOf(account.metadata), 'com.atproto.server.deleteSession', {
      token,
      signal,
    })
    return status < 500 && status !== 429
  } catch {
    return false
  }
}
