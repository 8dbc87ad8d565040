import { and, eq, gt, ne, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { recordChange, auditedTransaction } from '#lib/audit.ts'
import { listRefusals } from '#lib/audit/read.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { invalid, notFound } from '#lib/errors.ts'
import { Id } from '#lib/ids.ts'
import { keyset } from '#lib/paginate.ts'
import { Instant } from '#lib/time.ts'
import { findUser } from '../accounts/accounts.ts'
import type { PasswordChange } from '../contract.ts'
import { personOf, requireSessionId } from '../accounts/caller.ts'
import { deleteMailedLinks } from '../accounts/mailed-links.ts'
import { knownCaller } from './passwords/hash-queue.ts'
import { hashNewPassword } from './passwords/passwords.ts'
import { organizations, services, sessions, users } from '../schema.ts'
import { isOwnPassword } from './second-factor/proof.ts'
import { sendSecurityNotice } from '../accounts/security-notices.ts'
import { endSession } from './sessions.ts'
import { deleteOtherDevices } from './devices/known-devices.ts'

type ActorCall = Call<unknown, Actor>

const maxFailedSignIns = 20

export const selectSessions = (db: Database) =>
  db
    .select({
      id: sessions.id,
      device: sessions.device,
      address: sessions.address,
      method: sessions.method,
      createdAt: sessions.createdAt,
      lastUsedAt: sessions.lastUsedAt,
      expiresAt: sessions.idleExpiresAt,
      organization: organizations.name,
      app: services.name,
    })
    .from(sessions)
    .leftJoin(organizations, eq(organizations.id, sessions.organizationId))
    .leftJoin(services, eq(services.id, sessions.serviceId))

/** This one first, then the last used (IDN-03). */
export async function listSessions(call: ActorCall, page: { limit: number; cursor?: string }) {
  const currentId = await requireSessionId(call)
  const isCurrent = sql`(${sessions.id} = ${currentId})`
  const order = keyset(
    { current: [isCurrent, z.boolean()], lastUsedAt: [sessions.lastUsedAt, Instant], id: [sessions.id, Id] },
    'desc',
  )
  const slice = order.slice(page)
  const own = and(eq(sessions.userId, personOf(call.actor)), gt(sessions.idleExpiresAt, call.now()))
  const rows = await selectSessions(call.db)
    .where(and(own, slice.where))
    .orderBy(...slice.order)
    .limit(slice.limit)
  return slice.page(rows.map((row) => ({ ...row, current: row.id === currentId })))
}

/** On every server from its next request. @throws {Problem} 404 for any other */
export async function endOwnSession({ db, actor, events }: ActorCall, id: string): Promise<void> {
  const own = and(eq(sessions.id, id), eq(sessions.userId, personOf(actor)))
  const [found] = await db.select({ id: sessions.id }).from(sessions).where(own)
  if (!found) throw notFound('session')
  await endSession(db, events, id)
  recordChange(db, { object: 'session', id })
}

/** Returns how many. */
export async function endOwnOtherSessions(call: ActorCall): Promise<number> {
  const userId = personOf(call.actor)
  recordChange(call.db, { object: 'user', id: userId })
  return endOtherSessions(call.db, call, userId, await requireSessionId(call))
}

/** The last 20. */
export const listFailedSignIns = ({ db, actor }: ActorCall) =>
  listRefusals(db, { object: 'user', objectId: personOf(actor) }, maxFailedSignIns)

/** Ends other sessions, mailed links and other devices. @throws {Problem} 422 for a wrong current password */
export async function changePassword(call: ActorCall, { currentPassword, password }: PasswordChange): Promise<void> {
  const user = await findUser(call.db, personOf(call.actor))
  if (!(await isOwnPassword(call, user, currentPassword)))
    throw invalid([{ path: 'currentPassword', message: 'Incorrect password.' }])
  const passwordHash = await hashNewPassword(password, user.email, knownCaller(user.id))
  const current = await requireSessionId(call)
  await auditedTransaction(call, async (tx) => {
    await tx.update(users).set({ passwordHash }).where(eq(users.id, user.id))
    recordChange(tx, { object: 'user', id: user.id, before: { password: 1 }, after: { password: 2 } })
    await endOtherSessions(tx, call, user.id, current)
    await deleteOtherDevices(tx, call, user.id)
    await deleteMailedLinks(tx, user.id)
    await sendSecurityNotice(call, tx, user, 'passwordChanged')
  })
}

/** Except `keep` and the sign-in that opened it. Returns how many. */
export async function endOtherSessions(
  tx: Database,
  { events }: Pick<Call, 'events'>,
  userId: string,
  keep?: string,
): Promise<number> {
  const others = await tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), keep ? and(ne(sessions.id, keep), isNotOriginOf(keep)) : undefined))
  for (const { id } of others) await endSession(tx, events, id)
  return others.length
}

/** Those that links opened. */
export async function endLinkSessions(tx: Database, { events }: Pick<Call, 'events'>, userId: string): Promise<void> {
  const opened = await tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), eq(sessions.method, 'link')))
  for (const { id } of opened) await endSession(tx, events, id)
}

const isNotOriginOf = (id: string) =>
  sql`${sessions.id} IS DISTINCT FROM (SELECT own.parent_id FROM ${sessions} AS own WHERE own.id = ${id})`
