import { createHmac } from 'node:crypto'
import { and, eq, gt } from 'drizzle-orm'
import type { Call } from '#lib/call.ts'
import { cookieName } from '#lib/cookies.ts'
import { digest, newId, randomToken } from '#lib/ids.ts'
import type { Cookie } from '#lib/reply.ts'
import { localPath } from '../../http/responses.ts'
import { usesHttps } from '../../tokens/credential.ts'
import { upstreamSignIns } from '../../schema.ts'
import { callbackUrl } from './callback-url.ts'
import type { Provider, OAuthTransaction } from './provider.ts'

/** For signing in at the provider. */
const lifetimeMs = 10 * 60_000
const cookieBase = 'sso'

export const expiredTransactionCookie: Cookie = { name: cookieBase, value: '', maxAge: 0 }

interface TransactionInput {
  /** Null for a sign-in. */
  userId: string | null
  next?: string
}

/** Nonce and PKCE verifier are derived from the browser’s cookie, so only that browser can finish it. */
export async function createTransaction(
  call: Call,
  provider: Provider,
  input: TransactionInput,
): Promise<{ transaction: OAuthTransaction; cookie: Cookie }> {
  const { db, now } = call
  const [secret, state] = [randomToken(), randomToken()]
  await db.insert(upstreamSignIns).values({
    id: newId(),
    stateHash: digest(state),
    deviceHash: digest(secret),
    provider: provider.id,
    userId: input.userId,
    next: input.next === undefined ? null : localPath(input.next),
    expiresAt: new Date(now().getTime() + lifetimeMs),
  })
  return {
    transaction: transactionOf(call, provider, { secret, state }),
    cookie: { name: cookieBase, value: secret, maxAge: lifetimeMs / 1000 },
  }
}

/** Only once, in this browser; undefined when there is none or it has expired. */
export async function consumeTransaction(call: Call, provider: Provider, state: string) {
  const { db, now, request, config } = call
  const secret = request.cookies.get(cookieName(cookieBase, usesHttps(config))) ?? ''
  const own = and(
    eq(upstreamSignIns.stateHash, digest(state)),
    eq(upstreamSignIns.deviceHash, digest(secret)),
    eq(upstreamSignIns.provider, provider.id),
    gt(upstreamSignIns.expiresAt, now()),
  )
  const [started] = await db.delete(upstreamSignIns).where(own).returning()
  return started && { ...started, transaction: transactionOf(call, provider, { secret, state }) }
}

const transactionOf = (
  { config, request }: Call,
  { id }: Provider,
  { secret, state }: { secret: string; state: string },
): OAuthTransaction => ({
  state,
  nonce: deriveSecret(secret, 'nonce'),
  codeVerifier: deriveSecret(secret, 'code verifier'),
  redirectUri: callbackUrl(id, config, request),
})

const deriveSecret = (secret: string, purpose: string): string =>
  createHmac('sha256', secret).update(purpose).digest('base64url')
