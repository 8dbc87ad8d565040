import { and, asc, eq, gt } from 'drizzle-orm'
import { union } from 'drizzle-orm/pg-core'
import type { z } from 'zod'
import type { Entitlement } from '#identity'
import { transact } from '#lib/db.ts'
import type { EmitDependencies } from '#lib/outgoing-webhooks/emit.ts'
import { applyAccess, type ApplyWork } from '../checkout/apply.ts'
import { findAccess } from '../checkout/find-access.ts'
import { freeWorkspaces, platformSubscriptions } from '../schema.ts'
import type { SeatReconciliation } from './contract.ts'
import { emitSeatsMismatch } from './events.ts'

type Difference = z.output<typeof SeatReconciliation>['differences'][number]

const batch = 100

/**
 * Compares the entitlement and apps of one organization or all with what they pay for, also after it ended. What differs is
 * set right, and identity raises an action where more seats are in use than paid.
 */
export async function reconcileSeats(
  work: ApplyWork & EmitDependencies,
  organizationId?: string,
): Promise<z.output<typeof SeatReconciliation>> {
  const differences: Difference[] = []
  let checked = 0
  let failure: unknown
  for (let after: string | null = null; ;) {
    const ids = await listHolders(work, organizationId, after)
    for (const id of ids) {
      // One that fails must not hide those after it.
      const difference = await reconcileOne(work, id).catch((error: unknown) => {
        failure ??= error
        return null
      })
      if (difference === null) continue
      checked += 1
      if (difference !== 'none') differences.push(difference)
    }
    if (ids.length < batch) {
      if (failure !== undefined) throw failure
      return { checked, differences }
    }
    after = ids.at(-1) ?? null
  }
}

/** Null for an organization that is gone, or never subscribed. */
async function reconcileOne(
  work: ApplyWork & EmitDependencies,
  organizationId: string,
): Promise<Difference | 'none' | null> {
  const { exists } = await work.identity.organizationState(organizationId)
  const found = exists ? await findAccess(work, organizationId) : null
  if (!found) return null
  const { access, record, terms } = found
  const current = await work.identity.entitlement(organizationId)
  const wrong = wrongTerms(terms, { ...current, seats: current.seats.paid ?? undefined })
  if (access === 'ended' && record && (await hasPaidApps(work, organizationId))) wrong.push('apps')
  const { used } = current.seats
  const paid = terms.seats ?? null
  const isOver = access === 'full' && paid !== null && used > paid
  if (wrong.length === 0 && !isOver) return 'none'
  await applyAccess(work, organizationId)
  if (isOver) await transact(work.db, (tx) => emitSeatsMismatch(tx, work, { organizationId, used, paid }))
  return { organizationId, access, used, paid, wrong }
}

const names = ['mode', 'paidAppCount', 'appSlugs', 'seats', 'standing'] as const

const wrongTerms = (expected: Entitlement, current: Entitlement): Difference['wrong'] =>
  names.filter((name) => !Bun.deepEquals(expected[name], current[name]))

async function hasPaidApps({ identity }: ApplyWork, organizationId: string): Promise<boolean> {
  const { apps } = await identity.catalog(organizationId)
  return apps.some(({ paid, installed }) => paid && installed)
}

async function listHolders(
  { db }: ApplyWork,
  organizationId: string | undefined,
  after: string | null,
): Promise<string[]> {
  const [paid, free] = [platformSubscriptions, freeWorkspaces].map((table) =>
    db
      .selectDistinct({ id: table.holderId })
      .from(table)
      .where(
        and(
          eq(table.ownerType, 'organization'),
          organizationId === undefined ? undefined : eq(table.holderId, organizationId),
          after === null ? undefined : gt(table.holderId, after),
        ),
      )
      .orderBy(asc(table.holderId))
      .limit(batch),
  )
  if (!paid || !free) return []
  const rows = await union(paid, free)
    .orderBy(({ id }) => asc(id))
    .limit(batch)
  return rows.map(({ id }) => id)
}
