import { z } from 'zod'
import { isGatewayUnavailable, type BlueskyTokens } from '#gateway'
import { Problem } from '#lib/errors.ts'
import { isRevoked } from '../oauth.ts'
import type { Renewal, TokenCall, Tokens } from '../network.ts'

/** Of a sign-in with OAuth, bound to a key of their own. The gateway has the key of our client (GTW-04). */
const ProvenTokens = z.object({
  access: z.string(),
  refresh: z.string(),
  proofKey: z.string(),
  /** The authorization server. */
  issuer: z.string(),
  clientId: z.string(),
  /** Of the client’s key that the session is bound to; absent for a public client. */
  keyId: z.string().optional(),
})
type ProvenTokens = z.output<typeof ProvenTokens>

export type ProvenSession = Omit<ProvenTokens, 'access' | 'refresh' | 'keyId'> & { keyId: string | null }

export const isProven = (tokens: Tokens): boolean => tokens['proofKey'] !== undefined
export const proofKeyOf = (tokens: Tokens): string | undefined => tokens['proofKey']

export const storedTokens = (
  { accessToken: access, refreshToken: refresh }: BlueskyTokens,
  { keyId, ...session }: ProvenSession,
): Tokens => ({ ...session, access, refresh, ...(keyId !== null && { keyId }) })

function sessionOf(tokens: Tokens): { session: ProvenSession; refresh: string } {
  const { access: _, refresh, keyId = null, ...session } = ProvenTokens.parse(tokens)
  return { session: { ...session, keyId }, refresh }
}

/** Each refresh token can be used once. */
export async function renewProven({ account, credentials, holder, signal }: TokenCall): Promise<Renewal> {
  const { session, refresh: refreshToken } = sessionOf(account.tokens)
  try {
    const tokens = await credentials.bluesky.refresh({ ...session, account: holder, refreshToken }, signal)
    if (tokens.did !== account.externalId) {
      const unexpected = { ...session, account: holder, token: tokens.refreshToken }
      await credentials.bluesky.revoke(unexpected, signal).catch(() => {})
      return { kind: 'signed_out', message: 'Bluesky returned tokens of another account.' }
    }
    return { kind: 'renewed', tokens: storedTokens(tokens, session), expiresInSeconds: tokens.expiresInSeconds }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { code, message } = error
    if (code === 'refresh_refused') return { kind: 'signed_out', message }
    return { kind: 'later', message, ...(isGatewayUnavailable(error) && { waitsFor: 'gateway' }) }
  }
}

export const revokeProven = ({ account, credentials, holder, signal }: TokenCall): Promise<boolean> =>
  isRevoked(async () => {
    const { session, refresh: token } = sessionOf(account.tokens)
    await credentials.bluesky.revoke({ ...session, account: holder, token }, signal)
  })
