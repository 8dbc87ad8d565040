import { and, eq, sql } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { recordChange } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { notFound } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import { byId } from '#lib/paginate.ts'
import { requireSeat } from '../../organizations/entitlements/seats.ts'
import { removeMember } from '../../organizations/members/members.ts'
import { requireActiveOrganization } from '../../organizations/organizations.ts'
import { memberships, users } from '../../schema.ts'
import type { AgentDraft } from './contract.ts'

type ActorCall = Call<unknown, Actor>

/** A member without a sign-in, who counts as a seat. @throws {Problem} 404 for any but the active organization, 402 */
export async function createAgent(call: ActorCall, { id: organizationId, name, role }: AgentDraft) {
  const { db, actor, now } = call
  requireActiveOrganization(actor, organizationId)
  const id = newId()
  const at = now()
  await db.insert(users).values({ id, email: undeliverableEmail(id), name, principalType: 'agent', createdAt: at })
  await db.insert(memberships).values({ organizationId, userId: id, role, createdAt: at })
  await requireSeat(db, organizationId)
  recordChange(db, { object: 'agent', id, after: { name, role } })
  return findAgent(call, organizationId, id)
}

/** `.invalid` is reserved for addresses without a mailbox (RFC 2606). */
const undeliverableEmail = (id: string): string => `${id}@agents.invalid`

/** @throws {Problem} 404 for any but the active organization */
export async function listAgents({ db, actor }: ActorCall, page: { id: string; limit: number; cursor?: string }) {
  requireActiveOrganization(actor, page.id)
  const slice = byId(users.id).slice(page)
  const rows = await selectAgents(db)
    .where(and(isAgentOf(page.id), slice.where))
    .orderBy(...slice.order)
    .limit(slice.limit)
  return slice.page(rows)
}

/** @throws {Problem} 404, also for people */
export async function findAgent({ db, actor }: Pick<ActorCall, 'db' | 'actor'>, organizationId: string, id: string) {
  requireActiveOrganization(actor, organizationId)
  const [agent] = await selectAgents(db).where(and(isAgentOf(organizationId), eq(users.id, id)))
  if (!agent) throw notFound('agent')
  return agent
}

/** Its keys are refused from the next request. @throws {Problem} 404 */
export async function deleteAgent(call: ActorCall, organizationId: string, id: string): Promise<void> {
  await findAgent(call, organizationId, id)
  await removeMember(call, { id: organizationId, userId: id })
}

const isAgentOf = (organizationId: string) =>
  and(eq(memberships.organizationId, organizationId), eq(users.principalType, 'agent'))

const selectAgents = (db: Database) =>
  db
    .select({
      id: users.id,
      name: users.name,
      principalType: sql<'agent'>`${users.principalType}`,
      role: memberships.role,
      joinedAt: memberships.createdAt,
    })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .$dynamic()
