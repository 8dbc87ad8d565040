import { and, eq, lte, sql } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { notFound } from '#lib/errors.ts'
import {
  accountDeletions,
  accountErasures,
  erasedOrganizations,
  organizationErasures,
  organizations,
  suspensions,
  users,
} from '../schema.ts'
import { dueBefore, isAccountDue, isDue, isUnsweptBy } from './due.ts'
import { eraseDeleted } from './jobs.ts'

/** After identity’s erasure, the service has erased what came later too. @throws {Problem} 404 for one that is not to be erased */
export async function reportErased({ db, actor, now, queue }: Call<unknown, Actor>, organizationId: string) {
  if ((await db.$count(organizations, eq(organizations.id, organizationId))) === 0)
    return storeOrganizationSweep(db, { organizationId, serviceId: actor.principal.id, now: now() })
  const due = and(eq(suspensions.organizationId, organizationId), isDue(now()))
  if ((await db.$count(suspensions, due)) === 0) throw notFound('deletion')
  // The principal of a service token is the service.
  const erasure = { organizationId, serviceId: actor.principal.id, erasedAt: now() }
  await db.insert(organizationErasures).values(erasure).onConflictDoNothing()
  await queue.enqueue(db, eraseDeleted, {})
}

interface Sweep {
  organizationId: string
  serviceId: string
  now: Date
}

/** Not the report of an erasure that began before identity’s. */
async function storeOrganizationSweep(db: Database, { organizationId, serviceId, now }: Sweep): Promise<void> {
  const { organizationId: id, erasedAt, sweptBy } = erasedOrganizations
  await db
    .update(erasedOrganizations)
    .set({ sweptBy: sql`array_append(${sweptBy}, ${serviceId})` })
    .where(and(eq(id, organizationId), lte(erasedAt, dueBefore(now)), isUnsweptBy(serviceId)))
}

/** The same for an account. Stored again after identity’s erasure: then the service has erased what came later too. @throws {Problem} 404 */
export async function reportAccountErased({ db, actor, now, queue }: Call<unknown, Actor>, userId: string) {
  const [user] = await db.select({ erasedAt: users.erasedAt }).from(users).where(eq(users.id, userId))
  if (!user) return
  if (user.erasedAt) return storeSweep(db, { userId, serviceId: actor.principal.id, erasedAt: now() })
  const due = and(eq(accountDeletions.userId, userId), isAccountDue(now()))
  if ((await db.$count(accountDeletions, due)) === 0) throw notFound('deletion')
  const erasure = { userId, serviceId: actor.principal.id, erasedAt: now() }
  await db.insert(accountErasures).values(erasure).onConflictDoNothing()
  await queue.enqueue(db, eraseDeleted, {})
}

const storeSweep = async (db: Database, erasure: typeof accountErasures.$inferInsert): Promise<void> =>
  void (await db
    .insert(accountErasures)
    .values(erasure)
    .onConflictDoUpdate({
      target: [accountErasures.userId, accountErasures.serviceId],
      set: { erasedAt: erasure.erasedAt },
    }))
