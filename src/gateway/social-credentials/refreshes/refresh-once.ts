import type { z } from 'zod'
import type { Call } from '#lib/call.ts'
import { Problem } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import { errorFacts } from '#lib/log.ts'
import type { TokenHolder } from '../../contract/social.ts'
import { digestOf, openResponse, sealResponse } from './sealed-tokens.ts'
import { claimRefresh, releaseClaim, storeResponse } from './stored.ts'

/** Milliseconds for all requests of one refresh, and after which a claim belongs to a server that died. */
const limits = { requestMs: 24_000, leaseMs: 30_000 }
/** Between checks of another server's request. */
const pollMs = 100
/** An access token that is valid for less is of no use any more. */
const usefulSeconds = 60

interface RefreshedTokens {
  accessToken: string
  /** Null when the sent one stays. */
  refreshToken: string | null
  expiresInSeconds: number | null
}

interface Refresh<Tokens> {
  account: TokenHolder
  /** What identifies our app at the network: another one can't use the token. */
  app: readonly string[]
  refreshToken: string
  tokens: z.ZodType<Tokens>
}

type Refreshing = Pick<Call, 'db' | 'log' | 'secrets' | 'signal'>

/**
 * Asks the network once for each refresh token that can be used once, on all servers, and stores its response sealed before
 * it is returned: who asks again for a day, such as after a crash, gets the same tokens. The request goes on when the caller goes
 * away, since the network may already have replaced the token. @throws {Problem} as `ask`, and 502 while another server asks
 */
export async function refreshOnce<Tokens extends RefreshedTokens, Calling extends Refreshing>(
  call: Calling,
  refresh: Refresh<Tokens>,
  ask: (call: Calling) => Promise<Tokens>,
): Promise<Tokens> {
  const { account, app, refreshToken, tokens } = refresh
  const tokenDigest = digestOf(call.secrets, { app, refreshToken })
  const owner = newId()
  const end = performance.now() + limits.leaseMs
  for (;;) {
    const claim = await claimRefresh(call.db, { account, tokenDigest }, { owner, leaseMs: limits.leaseMs })
    if (claim.kind === 'claimed') return askClaimed(call, refresh, { id: claim.id, owner }, ask)
    if (claim.kind === 'answered') return withSecondsLeft(openResponse(call.secrets, claim, tokens), claim.ageSeconds)
    if (call.signal.aborted || performance.now() > end)
      throw new Problem(502, 'provider_error', 'The account’s tokens are being refreshed. Try again in a moment.')
    await Bun.sleep(pollMs)
  }
}

async function askClaimed<Tokens extends RefreshedTokens, Calling extends Refreshing>(
  call: Calling,
  { account, app, refreshToken }: Refresh<Tokens>,
  { id, owner }: { id: string; owner: string },
  ask: (call: Calling) => Promise<Tokens>,
): Promise<Tokens> {
  const { db, log, secrets } = call
  // A claim that isn't released expires.
  const release = () => releaseClaim(db, id, owner).catch(() => {})
  const tokens = await ask({ ...call, signal: AbortSignal.timeout(limits.requestMs) }).catch(async (error: unknown) => {
    await release()
    throw error
  })
  const next = tokens.refreshToken
  // One that stays can be used again, and its next refresh has to get another access token.
  if (next === null || next === refreshToken) {
    await release()
    return tokens
  }
  const sealedResponse = sealResponse(secrets, id, tokens)
  const nextDigest = digestOf(secrets, { app, refreshToken: next })
  // The only tokens that the network accepts: they are returned even when they can't be stored.
  await storeResponse(db, id, { sealedResponse, nextDigest }).catch((error: unknown) =>
    log.warn('refreshed tokens not stored', { account: account.id, ...errorFacts(error) }),
  )
  return tokens
}

/** 0 when the access token has expired since: only the refresh token is of use. */
function withSecondsLeft<Tokens extends RefreshedTokens>(tokens: Tokens, ageSeconds: number): Tokens {
  if (tokens.expiresInSeconds === null) return tokens
  const left = Math.floor(tokens.expiresInSeconds - ageSeconds)
  return { ...tokens, expiresInSeconds: left < usefulSeconds ? 0 : left }
}
