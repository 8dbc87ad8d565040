import { and, eq, type SQL } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { organizationOf, requireCaller, suspendedProblem } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { notFound, Problem } from '#lib/errors.ts'
import { Id } from '#lib/ids.ts'
import { settlements } from '../schema.ts'
import type { BatchRow } from './rows.ts'

/** Services that send batches for organizations. */
const senders = ['platform-p2p']

type AccessCall = Pick<Call<unknown, Actor>, 'actor' | 'request' | 'identity'>

export interface BatchOwner {
  organizationId: string
  /** The slug of the calling service, which only has its own batches. */
  service: string | null
}

/**
 * The caller’s organization, or the one that a service names. @throws {Problem} 403 for another service, 400 without an
 * organization, 404 for an unknown one
 */
export async function ownerOf(
  { actor, request, identity }: AccessCall,
  permission: 'transactions:read' | 'settlements:write',
): Promise<BatchOwner> {
  if (actor.tokenType !== 'service') return { organizationId: organizationOf(actor, permission), service: null }
  requireCaller(actor, senders)
  const named = request.headers.get('X-Organization-Id')
  if (named === null)
    throw new Problem(400, 'organization_required', 'Send the header X-Organization-Id: whose batch this is.')
  const parsed = Id.safeParse(named)
  if (!parsed.success) throw new Problem(400, 'malformed', 'X-Organization-Id must be an ID (a UUID).')
  const organizationId = parsed.data.toLowerCase()
  const state = await identity.organizationState(organizationId)
  if (!state.exists) throw notFound('organization')
  if (state.suspended)
    throw suspendedProblem({
      organizationId,
      name: 'This organization',
      reason: 'It can’t pay out.',
      deletesAt: null,
    })
  return { organizationId, service: actor.service }
}

export const ownedBy = ({ organizationId, service }: BatchOwner): SQL | undefined =>
  and(
    eq(settlements.organizationId, organizationId),
    service === null ? undefined : eq(settlements.requestingService, service),
  )

/** @throws {Problem} 404 */
export async function findBatch(db: Database, owner: BatchOwner, batchId: string): Promise<BatchRow> {
  const [row] = await db
    .select()
    .from(settlements)
    .where(and(ownedBy(owner), eq(settlements.batchId, batchId)))
  if (!row) throw notFound('batch')
  return row
}

/** Until the transaction ends. @throws {Problem} 404 */
export async function lockBatch(tx: Database, owner: BatchOwner, batchId: string): Promise<BatchRow> {
  const [row] = await tx
    .select()
    .from(settlements)
    .where(and(ownedBy(owner), eq(settlements.batchId, batchId)))
    .for('update')
  if (!row) throw notFound('batch')
  return row
}
