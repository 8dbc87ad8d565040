import { and, asc, count, desc, eq, gt, isNull, like, ne, or, sql } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { recordChange } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { prefixPattern, type Database } from '#lib/db.ts'
import { conflict, notFound } from '#lib/errors.ts'
import { Id } from '#lib/ids.ts'
import { byId } from '#lib/paginate.ts'
import { endOtherSessions, selectSessions } from '../sign-in/own-sessions.ts'
import {
  accountDeletions,
  memberships,
  organizations,
  passkeys,
  recoveryCodes,
  sessions,
  signInChallenges,
  totpAuthenticators,
  users,
} from '../schema.ts'
import { lockFactors } from '../sign-in/second-factor/required.ts'
import { resetAllAttempts } from '../sign-in/second-factor/attempts.ts'
import { confirmedAppOf } from '../sign-in/totp/codes.ts'
import { countRecoveryCodes } from '../sign-in/totp/recovery-codes.ts'
import { mailSupportAction } from './support-mail.ts'
import type { SupportAction, UserSearch } from './contract.ts'

const person = {
  id: users.id,
  email: users.email,
  name: users.name,
  principalType: sql<'user' | 'platform_super_admin'>`${users.principalType}`,
  createdAt: users.createdAt,
  deletesAt: accountDeletions.deletesAt,
}

const isPerson = and(ne(users.principalType, 'agent'), isNull(users.erasedAt))

/** Those whose address or name begins with `query`, or whose id it is, oldest account first. */
export async function listUsers(db: Database, { query, ...page }: UserSearch) {
  const slice = byId(users.id).slice(page)
  const rows = await db
    .select({ ...person, organizations: db.$count(memberships, eq(memberships.userId, users.id)) })
    .from(users)
    .leftJoin(accountDeletions, eq(accountDeletions.userId, users.id))
    .where(and(isPerson, query ? matchesQuery(query) : undefined, slice.where))
    .orderBy(...slice.order)
    .limit(slice.limit)
  return slice.page(rows)
}

function matchesQuery(query: string) {
  const id = Id.safeParse(query)
  if (id.success) return eq(users.id, id.data)
  const pattern = prefixPattern(query.toLowerCase())
  return or(like(sql`lower(${users.email})`, pattern), like(sql`lower(${users.name})`, pattern))
}

const maxSessions = 100

/** @throws {Problem} 404, also for agents */
export async function getUser({ db, now, actor }: Pick<ActorCall, 'db' | 'now' | 'actor'>, id: string) {
  const [user] = await db
    .select({ ...person, password: sql<boolean>`${users.passwordHash} IS NOT NULL` })
    .from(users)
    .leftJoin(accountDeletions, eq(accountDeletions.userId, users.id))
    .where(and(isPerson, eq(users.id, id)))
  if (!user) throw notFound('person')
  const [organizationRows, sessionRows, factors] = await Promise.all([
    organizationsOf(db, id),
    sessionsOf(db, id, now()),
    factorsOf(db, id),
  ])
  const { password, ...rest } = user
  const isOther = id !== actor.principal.id
  return {
    ...rest,
    organizations: organizationRows,
    sessions: sessionRows,
    factors: { password, ...factors },
    can: {
      endSessions: isOther,
      resetSecondFactor: isOther && (factors.totpSince !== null || factors.passkeys.length > 0),
    },
  }
}

const organizationsOf = (db: Database, userId: string) =>
  db
    .select({
      id: organizations.id,
      slug: organizations.slug,
      name: organizations.name,
      role: memberships.role,
      joinedAt: memberships.createdAt,
    })
    .from(memberships)
    .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
    .where(eq(memberships.userId, userId))
    .orderBy(asc(organizations.id))

const sessionsOf = (db: Database, userId: string, now: Date) =>
  selectSessions(db)
    .where(and(eq(sessions.userId, userId), gt(sessions.idleExpiresAt, now)))
    .orderBy(desc(sessions.id))
    .limit(maxSessions)

async function factorsOf(db: Database, userId: string) {
  const [[totp], codes, keys] = await Promise.all([
    db.select({ since: totpAuthenticators.confirmedAt }).from(totpAuthenticators).where(confirmedAppOf(userId)),
    countRecoveryCodes(db, userId),
    db
      .select({
        id: passkeys.id,
        name: passkeys.name,
        createdAt: passkeys.createdAt,
        lastUsedAt: passkeys.lastUsedAt,
      })
      .from(passkeys)
      .where(eq(passkeys.userId, userId))
      .orderBy(asc(passkeys.id)),
  ])
  return { totpSince: totp?.since ?? null, recoveryCodes: codes, passkeys: keys }
}

type ActorCall = Call<unknown, Actor>

/** Returns the number of sessions. @throws {Problem} 404, and 409 for the caller's own account */
export async function endSessionsOf(call: ActorCall, { id, reason }: SupportAction): Promise<number> {
  const user = await requireOtherAccount(call, id)
  const ended = await endOtherSessions(call.db, call, id)
  recordChange(call.db, { object: 'user', id, before: { sessions: ended }, after: { sessions: 0, reason } })
  await mailSupportAction(call, user, {
    happened: 'You were signed out of your Atrium account on every device.',
    reason,
  })
  return ended
}

/** Also clears the limit on wrong codes. @throws {Problem} 404, 409 for the caller's own account */
export async function resetSecondFactor(call: ActorCall, { id, reason }: SupportAction): Promise<void> {
  const { db } = call
  const user = await requireOtherAccount(call, id)
  await lockFactors(db, id)
  const before = await countFactors(db, id)
  if (before.totp + before.passkeys === 0)
    throw conflict('no_second_factor', `${user.name} has no authenticator app or passkey.`)
  for (const table of [totpAuthenticators, recoveryCodes, passkeys, signInChallenges])
    await db.delete(table).where(eq(table.userId, id))
  await resetAllAttempts(db, id)
  recordChange(db, { object: 'user', id, before, after: { totp: 0, recoveryCodes: 0, passkeys: 0, reason } })
  const happened =
    'The authenticator app, recovery codes and passkeys were removed from your Atrium account. Sign in with your password or an emailed link, then set up a second factor again.'
  await mailSupportAction(call, user, { happened, reason })
}

async function countFactors(db: Database, userId: string) {
  const [[totp], codes, [keys]] = await Promise.all([
    db.select({ count: count() }).from(totpAuthenticators).where(confirmedAppOf(userId)),
    countRecoveryCodes(db, userId),
    db.select({ count: count() }).from(passkeys).where(eq(passkeys.userId, userId)),
  ])
  return { totp: totp?.count ?? 0, recoveryCodes: codes, passkeys: keys?.count ?? 0 }
}

/** Changing the own account requires reauthentication in its settings. @throws {Problem} 404 and 409 */
async function requireOtherAccount({ db, actor }: ActorCall, id: string) {
  const [user] = await db
    .select({ id: users.id, email: users.email, name: users.name })
    .from(users)
    .where(and(isPerson, eq(users.id, id)))
  if (!user) throw notFound('person')
  if (id === actor.principal.id)
    throw conflict('own_account', 'This is your own account. Use your security settings instead.')
  return user
}
