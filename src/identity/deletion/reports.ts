import { and, eq } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { notFound } from '#lib/errors.ts'
import { organizationErasures, organizations, suspensions } from '../schema.ts'
import { isDue } from './due.ts'
import { eraseDeleted } from './jobs.ts'

/** Nothing happens when identity has erased it already. @throws {Problem} 404 for one that is not to be erased */
export async function reportErased({ db, actor, now, queue }: Call<unknown, Actor>, organizationId: string) {
  if ((await db.$count(organizations, eq(organizations.id, organizationId))) === 0) return
  const due = and(eq(suspensions.organizationId, organizationId), isDue(now()))
  if ((await db.$count(suspensions, due)) === 0) throw notFound('deletion')
  // The principal of a service token is the service.
  const erasure = { organizationId, serviceId: actor.principal.id, erasedAt: now() }
  await db.insert(organizationErasures).values(erasure).onConflictDoNothing()
  await queue.enqueue(db, eraseDeleted, {})
}
