import { eq } from 'drizzle-orm'
import { isAccountChanged } from '#gateway'
import { Problem } from '#lib/errors.ts'
import { settlementItems } from '../schema.ts'
import { nextCheckOf, type PaymentsWork } from '../work.ts'
import { changeItem } from './change-item.ts'
import { endItemLost, releaseLost, withItemAccount } from './item-account.ts'
import { changeBy, stepOf } from './item-state.ts'
import type { ItemRow } from './rows.ts'
import { sendStep, type Sent } from './send-item.ts'
import { readItem, type ItemSnapshot } from './snapshot.ts'

const maxReads = 8
const maxSteps = 4
const soonMs = 3_000

const findItem = async ({ db }: Pick<PaymentsWork, 'db'>, id: string): Promise<ItemRow | undefined> => {
  const [row] = await db.select().from(settlementItems).where(eq(settlementItems.id, id))
  return row
}

/**
 * Sends what is left of an item that `owner` has leased. What was begun before is looked up first: it is only repeated,
 * with the same key and while the provider knows that, when the provider doesn’t have it.
 */
export async function advanceItem(work: PaymentsWork, id: string, owner: string): Promise<void> {
  const before = await findItem(work, id)
  if (!before || before.leaseOwner !== owner) return
  let item = before
  let outcome: Sent['outcome'] = 'sent'
  let payout: ItemSnapshot['payout'] = null
  let lost: Problem | null = null
  try {
    const read = await applyState(work, await withItemAccount(work, item))
    item = read.item
    payout = read.snapshot.payout
    for (let steps = 0; steps < maxSteps; steps += 1) {
      const step = stepOf(item)
      if (step === null) break
      const sent = await sendStep(work, item, step, owner)
      item = sent.item
      outcome = sent.outcome
      if (outcome !== 'sent' && outcome !== 'failed') break
    }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (isAccountChanged(error)) lost = error
    work.log.warn('A settlement item couldn’t be checked', { item: id, code: error.code, status: error.status })
  }
  if (outcome === 'stopped') return
  if (lost) return releaseLost(work, before, owner, lost)
  await release(work, before, { owner, soon: outcome === 'soon', arrivesAt: payout?.arrivesAt ?? null })
}

/**
 * Brings an item to the provider’s current state; what has to be sent then is left to the workers. Snapshots are applied
 * in the order in which they were read. @throws {Problem} of the gateway
 */
export async function syncItem(work: PaymentsWork, itemId: string): Promise<{ needsWork: boolean }> {
  const found = await findItem(work, itemId)
  if (!found) return { needsWork: false }
  const { item } = await applyState(work, await withItemAccount(work, found))
  if (stepOf(item) === null || item.transferSentAt === null) return { needsWork: false }
  // A server that has leased it goes on by itself.
  const { applied } = await changeItem(work, itemId, (row) =>
    row.leaseOwner === null && stepOf(row) !== null && (row.dueAt === null || row.dueAt > work.now())
      ? { patch: { dueAt: work.now() } }
      : null,
  )
  return { needsWork: applied }
}

async function applyState(work: PaymentsWork, given: ItemRow): Promise<{ item: ItemRow; snapshot: ItemSnapshot }> {
  let item = given
  for (let reads = 0; reads < maxReads; reads += 1) {
    const seen = item
    const snapshot = await readItem(work, seen)
    let isCurrent = true
    const changed = await changeItem(work, seen.id, (row) => {
      isCurrent = row.version === seen.version
      return isCurrent ? changeBy(row, snapshot, work.now()) : null
    })
    item = changed.item ?? item
    if (isCurrent) return { item: await endItemLost(work, seen, item), snapshot }
  }
  throw new Error(`Item ${given.id} changed during each of ${maxReads} attempts to read it`)
}

interface Release {
  owner: string
  soon: boolean
  arrivesAt: Date | null
}

/** Plans the next check. People are asked once an open item has had all of them. */
async function release(work: PaymentsWork, before: ItemRow, { owner, soon, arrivesAt }: Release): Promise<void> {
  await changeItem(work, before.id, (row) => {
    if (row.leaseOwner !== owner) return null
    const now = work.now()
    const patch = { leaseOwner: null, checkedAt: now }
    if (soon) return { patch: { ...patch, dueAt: new Date(now.getTime() + soonMs) } }
    const hasMoved = (['status', 'transferId', 'payoutId', 'reversalId'] as const).some(
      (name) => row[name] !== before[name],
    )
    const checks = hasMoved ? 0 : row.checks + 1
    const isDone = stepOf(row) === null && (row.status === 'failed' || row.status === 'returned')
    const planned = isDone ? null : nextCheckOf(work, checks)
    const isOnItsWay = row.status === 'sent' && arrivesAt !== null && arrivesAt > now
    const dueAt = isOnItsWay && (planned === null || planned < arrivesAt) ? arrivesAt : planned
    const isLate = dueAt === null && row.status === 'sent'
    return { patch: { ...patch, checks, dueAt, ...(isLate && { status: 'unknown' as const }) } }
  })
}
