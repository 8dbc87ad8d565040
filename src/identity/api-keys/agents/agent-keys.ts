import { and, eq, isNull, or } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import type { EmitDependencies } from '#lib/outgoing-webhooks/emit.ts'
import { invalid, notFound } from '#lib/errors.ts'
import { findMembership } from '../../organizations/permissions/queries.ts'
import { permissionOf } from '../../contract/fields.ts'
import { apiKeys, users } from '../../schema.ts'
import { emitKeysRevoked } from '../events.ts'

interface Agent {
  organizationId: string
  agentId: string
}

/** A key can't do more than its agent. @throws {Problem} 404, 422 naming the scopes that its role doesn't include */
export async function requireAgentScopes(
  db: Database,
  { organizationId, agentId }: Agent,
  service: { id: string },
  scopes: string[],
): Promise<void> {
  const [agent] = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, agentId), eq(users.principalType, 'agent')))
  const member = agent && (await findMembership(db, { organizationId, userId: agentId }))
  if (!member) throw notFound('agent')
  const beyond = scopes.filter((scope) => !member.permissions.includes(`${service.id}.${permissionOf(scope)}`))
  if (beyond.length === 0) return
  const path = (scope: string) => `scopes.${scopes.indexOf(scope)}`
  throw invalid(beyond.map((scope) => ({ path: path(scope), message: `The agent’s role doesn’t include ${scope}.` })))
}

/** Those that the agent uses or has created. Nothing happens for a person. */
export async function revokeAgentKeys(db: Database, emitting: EmitDependencies, userId: string): Promise<void> {
  const agents = db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), eq(users.principalType, 'agent')))
  const isOfAgent = or(eq(apiKeys.agentId, agents), eq(apiKeys.createdBy, agents))
  const revoked = await db
    .update(apiKeys)
    .set({ revokedAt: emitting.now() })
    .where(and(isOfAgent, isNull(apiKeys.revokedAt)))
    .returning({ id: apiKeys.id })
  await emitKeysRevoked(db, emitting, revoked)
}
