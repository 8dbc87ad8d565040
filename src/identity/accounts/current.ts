import { and, eq } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { recordChange, auditedTransaction } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { cookieName } from '#lib/cookies.ts'
import type { Database } from '#lib/db.ts'
import { unauthorized } from '#lib/errors.ts'
import { findUser, publicUser, saveLastContext } from './accounts.ts'
import { personOf, requireSessionId } from './caller.ts'
import type { ContextChoice, Me } from '../contract.ts'
import { usesHttps } from '../tokens/credential.ts'
import { noHousehold, selectedHousehold } from '../organizations/households/selected.ts'
import { requireAccessibleOrganization } from '../organizations/open-organization.ts'
import { organizationsOf } from '../organizations/organizations.ts'
import { createRefreshToken, rotateRefreshToken } from '../tokens/refresh.ts'
import { publishRevocation } from '../tokens/revocation.ts'
import { services, sessions } from '../schema.ts'
import { endSession } from '../sign-in/sessions.ts'
import { issueTokens } from '../sign-in/sign-in.ts'

/** Signing out of one of our services ends the sign-in that opened it, of a third-party app only its session. */
export async function endCurrentSession(call: Call): Promise<void> {
  const id = await findSignIn(call.db, await requireSessionId(call))
  await endSession(call.db, call.events, id)
  recordChange(call.db, { object: 'session', id })
}

/** Of one of our own services, else the session itself. */
async function findSignIn(db: Database, id: string): Promise<string> {
  const [own] = await db
    .select({ parentId: sessions.parentId })
    .from(sessions)
    .innerJoin(services, and(eq(services.id, sessions.serviceId), services.firstParty))
    .where(eq(sessions.id, id))
  return own?.parentId ?? id
}

/** The token of the body, else of the cookie. @throws {Problem} 401 */
export async function refreshSession(call: Call, given: string | undefined) {
  const presented = given ?? call.request.cookies.get(cookieName('refresh', usesHttps(call.config)))
  if (!presented) throw unauthorized('The request has no refresh token. Sign in.', 'invalid_refresh_token')
  const { sessionId: id, refreshToken } = await rotateRefreshToken(call, presented)
  const [session] = await call.db.select().from(sessions).where(eq(sessions.id, id))
  if (!session) throw unauthorized('This session has ended. Sign in again.', 'invalid_refresh_token')
  const { userId, organizationId } = session
  return { refreshToken, tokens: await issueTokens(call, { userId, sessionId: id, organizationId }, refreshToken) }
}

/** @throws {Problem} 404 for an organization of others, 403 for one that is suspended or has stricter sign-in rules */
export async function switchContext(call: Call<unknown, Actor>, choice: ContextChoice) {
  const id = await requireSessionId(call)
  const userId = call.actor.principal.id
  const organizationId = 'organizationId' in choice ? choice.organizationId : null
  if (organizationId) await requireAccessibleOrganization(call, organizationId)
  const refreshToken = await auditedTransaction(call, async (tx) => {
    // Without the organization that was left: members of this one don't learn about others.
    recordChange(tx, { object: 'session', id, organizationId })
    await tx.update(sessions).set({ organizationId }).where(eq(sessions.id, id))
    await saveLastContext(tx, userId, organizationId)
    await publishRevocation(tx, call.events, id)
    return createRefreshToken(tx, id, call.now())
  })
  return { refreshToken, tokens: await issueTokens(call, { userId, sessionId: id, organizationId }, refreshToken) }
}

export async function whoAmI({ db, actor }: Pick<Call<unknown, Actor>, 'db' | 'actor'>): Promise<Me> {
  const id = personOf(actor)
  const [user, own] = await Promise.all([findUser(db, id), organizationsOf(db, id)])
  const organization = own.find((each) => each.id === actor.organization?.id) ?? null
  // A session of a third-party app or of an organization's SSO sees only the organization that it is for.
  const isConfined = actor.app !== null || actor.onlyIn
  const organizations = isConfined ? own.filter((each) => each === organization) : own
  const context = organization ? 'organization' : 'personal'
  const household = isConfined ? noHousehold : await selectedHousehold(db, id, organization)
  return { user: publicUser(user), context, organization, organizations, ...household }
}
