import { and, eq, isNull, or } from 'drizzle-orm'
import { recordChange, auditedTransaction } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { cookieName } from '#lib/cookies.ts'
import type { Database } from '#lib/db.ts'
import { unauthorized } from '#lib/errors.ts'
import { digest } from '#lib/ids.ts'
import { findUser } from '../accounts/accounts.ts'
import { isBrowser, usesHttps } from '../tokens/credential.ts'
import { organizationsOf } from '../organizations/organizations.ts'
import { createRefreshToken } from '../tokens/refresh.ts'
import { publishRevocation } from '../tokens/revocation.ts'
import { services, sessions } from '../schema.ts'
import { openSession } from '../sign-in/sessions.ts'
import { sessionOriginOf } from '../sign-in/devices/record-device.ts'
import { requireSamePerson } from './same-person.ts'
import { recordOpenedSession, revokeReusedCode, consumeCode, type SsoCode } from './codes.ts'
import { verifyPkce } from './pkce.ts'
import type { SsoService } from './services.ts'

/** A code with the values to check it against. */
interface CodeRedemption {
  code: string
  verifier?: string
  /** The id or slug of the redeeming service. */
  service?: string
  redirectUri?: string
  /** The browser’s refresh token at an app on another host. */
  refreshToken?: string
  /** Whether the person agreed to switch accounts. */
  replace?: boolean
}

export type ServiceSignIn = Awaited<ReturnType<typeof openServiceSession>> & { code: SsoCode; service: SsoService }

export const grantOf = ({ user, session, organization }: Pick<ServiceSignIn, 'user' | 'session' | 'organization'>) => ({
  userId: user.id,
  sessionId: session.id,
  organizationId: organization?.id ?? null,
})

/**
 * @throws 401 `invalid_code` for a code that is unknown, expired, reused (which ends the opened session), or bound
 * to other values; 409 for a hand-off to a browser where another person is signed in
 */
export async function exchangeCode(call: Call, returned: CodeRedemption): Promise<ServiceSignIn> {
  const signIn = await auditedTransaction(call, async (tx) => {
    const code = await consumeCode(tx, returned.code, call.now())
    const service = code && (await findService(tx, code, returned))
    // A refusal rolls back, so the code stays usable.
    if (service && !returned.replace) await requireSamePerson(tx, call, code, returned.refreshToken)
    return service && { code, service, ...(await openServiceSession(tx, call, code, service)) }
  })
  if (signIn) return signIn
  await revokeReusedCode(call, returned.code)
  throw unauthorized('Invalid or expired code. Open the app again.', 'invalid_code')
}

async function findService(tx: Database, code: SsoCode, { verifier, service, redirectUri }: CodeRedemption) {
  if (!verifyPkce(code.codeChallenge, verifier)) return undefined
  if (redirectUri !== undefined && redirectUri !== code.redirectUri) return undefined
  const [own] = await tx.select().from(services).where(eq(services.id, code.serviceId))
  return service === undefined || service === own?.id || service === own?.slug ? own : undefined
}

async function openServiceSession(tx: Database, call: Call, code: SsoCode, service: SsoService) {
  const now = call.now()
  const [origin] = await tx.select().from(sessions).where(eq(sessions.id, code.sessionId))
  if (!origin) throw new Error('A code outlived its session')
  const user = await findUser(tx, code.userId)
  const own = await organizationsOf(tx, code.userId)
  // The personal context, if the person has left the organization since.
  const organization = own.find(({ id }) => id === code.organizationId) ?? null
  const organizationId = organization?.id ?? null
  const here = service.firstParty ? await findBrowserSession(tx, call, origin) : undefined
  const session = here
    ? await moveSession(tx, call, here, organizationId)
    : await openSession(
        tx,
        { ...inheritedFrom(origin), ...sessionOriginOf(call), organizationId, arrival: sessionTargetOf(code, origin) },
        now,
      )
  recordChange(tx, { object: 'session', id: session.id, by: user, organizationId })
  await recordOpenedSession(tx, code, session.id)
  const refreshToken = await createRefreshToken(tx, session.id, now)
  return { user, organization, session, refreshToken, signedInAt: origin.createdAt }
}

type Session = typeof sessions.$inferSelect

const inheritedFrom = ({ userId, method, secondFactor }: Session) => ({ userId, method, secondFactor })

const rootSessionOf = ({ id, parentId }: Session): string => parentId ?? id

const sessionTargetOf = ({ serviceId }: SsoCode, origin: Session) => ({
  serviceId,
  parentId: rootSessionOf(origin),
  expiresAt: origin.expiresAt,
})

/** If it belongs to the same sign-in and can be reused. */
async function findBrowserSession(
  tx: Database,
  { request, config }: Call,
  origin: Session,
): Promise<Session | undefined> {
  const cookie = request.cookies.get(cookieName('session', usesHttps(config)))
  if (!cookie || !isBrowser(request)) return undefined
  const id = rootSessionOf(origin)
  const sameSignIn = or(and(eq(sessions.id, id), isNull(sessions.parentId)), eq(sessions.parentId, id))
  const [here] = await tx
    .select()
    .from(sessions)
    .where(and(eq(sessions.tokenHash, digest(cookie)), sameSignIn))
  return here
}

async function moveSession(
  tx: Database,
  { events }: Call,
  { id, organizationId: before }: Session,
  organizationId: string | null,
) {
  if (before !== organizationId) {
    await tx.update(sessions).set({ organizationId }).where(eq(sessions.id, id))
    await publishRevocation(tx, events, id)
  }
  return { id, token: undefined }
}
