import { and, eq, inArray, or } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { nullFor404 } from '#lib/errors.ts'
import { forEachSettled } from '#lib/each.ts'
import { findCause } from '../movements/find-cause.ts'
import { hasAmount, isOfPayments } from '../movements/kinds.ts'
import { readPage, type Movement } from '../movements/read.ts'
import { disputes, movementAccounts, openMovements, orderPayments, refunds, settlementItems } from '../schema.ts'
import { nextCheckOf } from '../work.ts'
import { compareBooked, describeGone, describeMissing, type Cause } from './compare-movement.ts'
import { isFresh, isRecent, type Compared, type Comparison, type Finding } from './findings.ts'
import { listBookedReferences, readSides } from './ledger-side.ts'

interface Page extends Compared {
  cursor: string | null
  readBack: Date
  boundary: readonly string[]
}

const secondMs = 1_000
/** Above, each candidate of the second is read at the provider. */
const maxBoundary = 10_000

/** One page of the provider’s movements with what the ledger has of the same time. @throws {Problem} of the gateway */
export async function compareMovementPage(
  comparison: Comparison,
  { cursor, readBack, boundary }: Pick<Page, 'cursor' | 'readBack' | 'boundary'>,
): Promise<Page> {
  const { work, account, from, until } = comparison
  const page = await readPage(work, account, { from, before: until, cursor })
  const movements = page.items.filter(hasAmount)
  const ids = page.items.map(({ id }) => id)
  const sides = await readSides(work.db, account.organizationId, ids)
  const own = account.scope === 'own' ? movements : await keepOwn(comparison, movements, new Set(sides.keys()))
  const missing = own.filter(({ id }) => !sides.has(id))
  const waiting = await findWaiting(comparison, missing)
  const oldest = page.nextCursor === null ? from : (page.items.at(-1)?.createdAt ?? from)
  const isLast = page.nextCursor === null
  // The rest of the oldest second can be on the next page.
  const complete = { from: isLast ? from : new Date(oldest.getTime() + secondMs), to: readBack }
  const gone = complete.from > complete.to ? [] : await findGone(comparison, complete, [...ids, ...boundary])
  const oldestIds = page.items.filter(({ createdAt }) => createdAt.getTime() === oldest.getTime()).map(({ id }) => id)
  const differing = own.flatMap((movement) => compareBooked(movement, sides.get(movement.id) ?? []) ?? [])
  const lost = missing.filter(({ id }) => !waiting.has(id))
  return {
    cursor: page.nextCursor,
    readBack: oldest,
    boundary: [...(oldest.getTime() === readBack.getTime() ? boundary : []), ...oldestIds].slice(0, maxBoundary),
    compared: own.length + gone.length,
    inTransit: waiting.size,
    findings: [...differing, ...(await describeLost(comparison, lost)), ...gone],
    unbooked: missing.map(({ id, currency, net }) => ({ id, currency, net })),
  }
}

/** Of an account that others use too: what the ledger names, or what is of an object of ours. */
async function keepOwn(
  { work: { db }, account: { organizationId } }: Comparison,
  movements: readonly Movement[],
  booked: ReadonlySet<string>,
): Promise<Movement[]> {
  const sources = movements.flatMap(({ id, sourceId }) => (sourceId !== null && !booked.has(id) ? [sourceId] : []))
  const known = await findSources(db, organizationId, sources)
  return movements.filter(({ id, sourceId }) => booked.has(id) || (sourceId !== null && known.has(sourceId)))
}

type Known = Map<string, Cause>

/** Our rows of the provider’s charges, refunds, disputes and transfers. */
async function findSources(db: Database, organizationId: string, sources: readonly string[]): Promise<Known> {
  if (sources.length === 0) return new Map()
  const given = [...sources]
  const [charged, returned, disputed, items] = await Promise.all([
    db
      .select({ reference: orderPayments.chargeId, orderId: orderPayments.orderId, paymentId: orderPayments.id })
      .from(orderPayments)
      .where(and(eq(orderPayments.organizationId, organizationId), inArray(orderPayments.chargeId, given))),
    db
      .select({ reference: refunds.providerRefundId, orderId: refunds.orderId, paymentId: refunds.paymentId })
      .from(refunds)
      .where(and(eq(refunds.organizationId, organizationId), inArray(refunds.providerRefundId, given))),
    db
      .select({ reference: disputes.providerDisputeId, orderId: disputes.orderId, paymentId: disputes.paymentId })
      .from(disputes)
      .where(and(eq(disputes.organizationId, organizationId), inArray(disputes.providerDisputeId, given))),
    db
      .select({
        transferId: settlementItems.transferId,
        reversalId: settlementItems.reversalId,
        itemId: settlementItems.id,
      })
      .from(settlementItems)
      .where(
        and(
          eq(settlementItems.organizationId, organizationId),
          or(inArray(settlementItems.transferId, given), inArray(settlementItems.reversalId, given)),
        ),
      ),
  ])
  return new Map([
    ...[...charged, ...returned, ...disputed].flatMap(({ reference, ...cause }): [string, Cause][] =>
      reference === null ? [] : [[reference, cause]],
    ),
    ...items.flatMap(({ transferId, reversalId, itemId }): [string, Cause][] =>
      [transferId, reversalId].flatMap((id) => (id === null ? [] : [[id, { itemId }]])),
    ),
  ])
}

/** Those that are booked by themselves yet: they are new, or the jobs that book them haven’t come to their end. */
async function findWaiting(comparison: Comparison, missing: readonly Movement[]): Promise<Set<string>> {
  const { work, account } = comparison
  const recent = missing.filter(({ createdAt }) => isRecent(comparison, createdAt))
  const waiting = new Set(recent.filter(({ createdAt }) => isFresh(comparison, createdAt)).map(({ id }) => id))
  if (recent.length === 0 || account.scope === 'shared') return waiting
  const { organizationId, account: key } = account
  const [[read], open] = await Promise.all([
    work.db
      .select({ readUntil: movementAccounts.readUntil })
      .from(movementAccounts)
      .where(and(eq(movementAccounts.organizationId, organizationId), eq(movementAccounts.account, key))),
    work.db
      .select({ id: openMovements.transactionId, checks: openMovements.checks })
      .from(openMovements)
      .where(
        and(
          eq(openMovements.organizationId, organizationId),
          eq(openMovements.account, key),
          inArray(
            openMovements.transactionId,
            recent.map(({ id }) => id),
          ),
        ),
      ),
  ])
  for (const { id, checks } of open) if (nextCheckOf(work, checks) !== null) waiting.add(id)
  const readUntil = read?.readUntil ?? null
  for (const movement of recent)
    if (!isOfPayments(movement) && (readUntil === null || movement.createdAt > readUntil)) waiting.add(movement.id)
  return waiting
}

const maxReads = 100
const concurrency = 4

/** With the order or settlement that caused them, so far as it is known. */
async function describeLost(comparison: Comparison, lost: readonly Movement[]): Promise<Finding[]> {
  const { work, account } = comparison
  const known = await findSources(
    work.db,
    account.organizationId,
    lost.flatMap(({ sourceId }) => sourceId ?? []),
  )
  const causes = new Map<string, Cause | null>()
  await forEachSettled(
    lost.filter(({ sourceId }) => !known.has(sourceId ?? '')).slice(0, maxReads),
    async (movement) => {
      causes.set(movement.id, await readCause(comparison, movement))
    },
    concurrency,
  )
  return lost.map((movement) =>
    describeMissing(movement, known.get(movement.sourceId ?? '') ?? causes.get(movement.id) ?? null),
  )
}

/** From what the provider’s object names. @throws {Problem} of the gateway */
export async function readCause({ work, account }: Comparison, movement: Movement): Promise<Cause | null> {
  const found = await findCause(work, account, movement)
  if (found?.kind === 'item') return { itemId: found.id }
  if (found?.kind !== 'payment') return null
  const [payment] = await work.db
    .select({ orderId: orderPayments.orderId })
    .from(orderPayments)
    .where(eq(orderPayments.id, found.id))
  return { paymentId: found.id, orderId: payment?.orderId }
}

/** In the ledger in a range of time, and not at the provider: each is read there before that is said. */
async function findGone(
  { work, account }: Comparison,
  { from, to }: { from: Date; to: Date },
  listed: readonly string[],
): Promise<Finding[]> {
  const references = await listBookedReferences(work.db, { ...account, from, to }, listed)
  const gone: string[] = []
  await forEachSettled(
    references,
    async (id) => {
      const found = await work.gateway.payments.getBalanceTransaction({ ...account.payer, id }).catch(nullFor404)
      if (!found) gone.push(id)
    },
    concurrency,
  )
  const sides = await readSides(work.db, account.organizationId, gone)
  return gone.toSorted().flatMap((id) => describeGone(id, sides.get(id) ?? []) ?? [])
}
