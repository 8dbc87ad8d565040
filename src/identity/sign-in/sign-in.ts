import { recordChange, auditedTransaction } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { cookieName } from '#lib/cookies.ts'
import { unauthorized } from '#lib/errors.ts'
import type { Cookie } from '#lib/reply.ts'
import { reply } from '#lib/reply.ts'
import { publicUser, type Account } from '../accounts/accounts.ts'
import { isBrowser, usesHttps } from '../tokens/credential.ts'
import { selectedHousehold } from '../organizations/households/selected.ts'
import { deletionPendingProblem, findPendingDeletion } from '../deletion/pending.ts'
import { createChallenge } from './second-factor/challenge.ts'
import { recordDevice, sessionOriginOf } from './devices/record-device.ts'
import { preferenceCookies, preferencesOf } from '../accounts/preferences.ts'
import { localPath } from '../http/responses.ts'
import { createRefreshToken } from '../tokens/refresh.ts'
import { idleLifetime, maxLifetime, openSession, type SignInMethod } from './sessions.ts'
import { accessLifetime, signAccessToken } from '../tokens/tokens.ts'
import { hasTotp } from './totp/totp.ts'

/** The cookies outlive the session and token in them: the server decides when those expire. */
export const sessionCookie = (value: string): Cookie => ({ name: 'session', value, maxAge: maxLifetime / 1000 })
export const refreshCookie = (value: string): Cookie => ({ name: 'refresh', value, maxAge: idleLifetime / 1000 })

export const clearedCookies: Cookie[] = [
  { name: 'session', value: '', maxAge: 0 },
  { name: 'refresh', value: '', maxAge: 0 },
]

interface SignInOptions {
  how: SignInMethod
  next?: string
}

/** After one factor. The operation must not be one transaction. @throws {Problem} 401 for a second factor */
export async function signIn(call: Call, status: 200 | 201, account: Account, { how, next }: SignInOptions) {
  if (how !== 'passkey' && (await hasTotp(call.db, account.user.id)))
    throw await createChallenge(call, account, { how, next })
  return openSessionFor(call, status, account, { how, next, secondFactor: how === 'passkey' })
}

interface SessionOptions extends SignInOptions {
  secondFactor: boolean
  /** The account's organization must be this one. */
  onlyIn?: string
  /** Runs before the session is opened, in the same transaction. */
  first?: (tx: Database) => Promise<void>
}

/** A browser gets its tokens as cookies. @throws {Problem} 401 for an agent, 403 for an account being deleted */
export async function openSessionFor(
  call: Call,
  status: 200 | 201,
  { user, organization }: Account,
  opening: SessionOptions,
) {
  const { how: method, next, secondFactor, onlyIn, first } = opening
  if (user.principalType === 'agent') throw unauthorized('Agents can’t sign in. They use API keys.')
  const now = call.now()
  const organizationId = organization?.id ?? null
  const opened = await auditedTransaction(call, async (tx) => {
    await first?.(tx)
    const pending = await findPendingDeletion(tx, user.id, now, onlyIn === undefined)
    if (pending) return { pending }
    const facts = { userId: user.id, organizationId, method, secondFactor, onlyIn, ...sessionOriginOf(call) }
    const session = await openSession(tx, facts, now)
    recordChange(tx, { object: 'session', id: session.id, by: user, organizationId })
    const deviceCookies = await recordDevice(tx, call, user, method)
    return { session, deviceCookies, refreshToken: await createRefreshToken(tx, session.id, now) }
  })
  if (opened.pending) throw deletionPendingProblem(opened.pending)
  const { session, deviceCookies, refreshToken } = opened
  const tokens = await issueTokens(call, { userId: user.id, sessionId: session.id, organizationId }, refreshToken)
  const cookies = isBrowser(call.request)
    ? [
        sessionCookie(session.token),
        refreshCookie(refreshToken),
        ...deviceCookies,
        ...(await preferenceCookiesFor(call, user.id)),
      ]
    : []
  const household = await selectedHousehold(call.db, user.id, organization)
  return reply(
    status,
    { user: publicUser(user), organization, ...household, ...tokens },
    { cookies, next: localPath(next), leavesPage: true },
  )
}

/** Those that the browser doesn't have yet. */
export async function preferenceCookiesFor({ db, request, config }: Call, userId: string): Promise<Cookie[]> {
  const https = usesHttps(config)
  return preferenceCookies(await preferencesOf(db, userId)).filter(
    ({ name, value }) => (request.cookies.get(cookieName(name, https)) ?? '') !== encodeURIComponent(value),
  )
}

interface Grant {
  userId: string
  sessionId: string
  organizationId: string | null
}

/** A browser gets the refresh token only as a cookie. */
export async function issueTokens(call: Call, grant: Grant, refreshToken: string) {
  const token = await signAccessToken(call, grant)
  return { accessToken: token, expiresIn: accessLifetime, ...(isBrowser(call.request) ? {} : { refreshToken }) }
}
