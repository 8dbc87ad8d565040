import { and, eq, sql } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { auditedTransaction, recordChange } from '#lib/audit.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { conflict, notFound, type Problem } from '#lib/errors.ts'
import { Currency } from '#lib/money.ts'
import { correctLedger } from '../ledger/correct.ts'
import { postTransaction } from '../ledger/post.ts'
import { getTransaction } from '../ledger/read.ts'
import { ensureDefaultMerchant } from '../orders/merchants.ts'
import { fromProviderUnits } from '../provider-units.ts'
import { ledgerBalances, reconciliationDifferences } from '../schema.ts'
import { missingPosting } from './compare-movement.ts'
import { saveFindings, settleDifference, type DifferenceRow } from './differences.ts'
import { accountOfDifference, compareMovement, lookAgain, syncDifference, type Look } from './look-again.ts'
import { isCheckable } from './buttons.ts'
import { publishReconciliation } from './reconciliation.topic.ts'
import { titleOf } from './words.ts'

type ResolveCall = Call<unknown, Actor>

const permission = 'transactions:write'
const object = 'reconciliation_difference'

async function findRow(db: Database, organizationId: string, id: string): Promise<DifferenceRow> {
  const [row] = await db
    .select()
    .from(reconciliationDifferences)
    .where(and(eq(reconciliationDifferences.id, id), eq(reconciliationDifferences.organizationId, organizationId)))
  if (!row) throw notFound('difference')
  return row
}

/** Until the transaction ends. @throws {Problem} 409 unless it is open */
async function lockOpen(tx: Database, { id }: Pick<DifferenceRow, 'id'>): Promise<DifferenceRow> {
  const [row] = await tx
    .select()
    .from(reconciliationDifferences)
    .where(eq(reconciliationDifferences.id, id))
    .for('update')
  if (!row) throw notFound('difference')
  requireOpen(row)
  return row
}

function requireOpen({ status }: DifferenceRow): void {
  if (status !== 'open') throw notPossible(`This difference is ${status} already.`, status)
}

const notPossible = (detail: string, state: string): Problem => conflict('difference_state', detail, { state })

const changed = (): Problem =>
  conflict('difference_changed', 'This difference changed meanwhile, so nothing was recorded. Look at it again.')

/** A person says why both sides differ: it isn’t open any more, unless its amounts change. @throws {Problem} 404, 409 */
export async function explainDifference(call: ResolveCall, { id, note }: { id: string; note: string }): Promise<void> {
  const { db, actor, now } = call
  const organizationId = organizationOf(actor, permission)
  const row = await lockOpen(db, await findRow(db, organizationId, id))
  if (row.kind === 'run_failed') throw notPossible('A failed run is resolved by the next one.', row.status)
  await settleDifference(db, row, { status: 'explained', at: now(), by: actor.principal.id, note })
  recordChange(db, { object, id, before: { status: row.status }, after: { status: 'explained', note } })
  await publishReconciliation(call, db, organizationId)
}

/** Reads it at the provider again, with its payment or payout, and applies that. @throws {Problem} 404, 409, and of the gateway */
export async function checkDifference(call: ResolveCall, id: string): Promise<void> {
  const organizationId = organizationOf(call.actor, permission)
  const row = await findRow(call.db, organizationId, id)
  requireOpen(row)
  if (!isCheckable(row)) throw notPossible('This difference is looked at by the next run.', row.status)
  await syncDifference(call, row)
  const { finding } = await lookAgain(call, row)
  await auditedTransaction(call, async (tx) => {
    const locked = await lockOpen(tx, row)
    if (finding) await refresh(tx, call, locked, finding)
    else await settleDifference(tx, locked, { status: 'resolved', at: call.now(), by: call.actor.principal.id })
    recordChange(tx, {
      object,
      id,
      before: { status: 'open' },
      after: { status: finding ? 'open' : 'resolved', checked: true },
    })
    await publishReconciliation(call, tx, organizationId)
  })
}

/** With what was read now. */
async function refresh(
  tx: Database,
  { now }: Pick<ResolveCall, 'now'>,
  { id, organizationId, account, lastRunId }: DifferenceRow,
  finding: NonNullable<Look['finding']>,
): Promise<void> {
  await tx.update(reconciliationDifferences).set({ lastRunId: null }).where(eq(reconciliationDifferences.id, id))
  await saveFindings(tx, { organizationId, account, runId: lastRunId ?? id, at: now() }, [finding])
}

/**
 * Books the entries that were shown, after another look at both sides: nothing when they agree by now.
 *
 * @throws {Problem} 404, 409, and of the gateway
 */
export async function recordDifference(
  call: ResolveCall,
  { id, note }: { id: string; note: string | undefined },
): Promise<void> {
  const organizationId = organizationOf(call.actor, permission)
  const row = await findRow(call.db, organizationId, id)
  requireOpen(row)
  if (row.proposal.length === 0) throw notPossible('There is nothing to record. Check it at the provider.', row.status)
  const isBalance = row.kind === 'balance_differs'
  const look = isBalance ? null : await lookAgain(call, row)
  const theirs = isBalance ? await readProviderBalance(call, row) : null
  await auditedTransaction(call, async (tx) => {
    const locked = await lockOpen(tx, row)
    if (look) {
      const finding = await compareMovement(tx, locked, look)
      if (!finding) {
        await settleDifference(tx, locked, { status: 'resolved', at: call.now(), by: call.actor.principal.id })
        recordChange(tx, { object, id, before: { status: 'open' }, after: { status: 'resolved' } })
        await publishReconciliation(call, tx, organizationId)
        return
      }
      if (JSON.stringify(finding.proposal) !== JSON.stringify(sorted(locked))) throw changed()
    } else if (theirs !== locked.providerAmount || (await readClearing(tx, locked)) !== locked.ledgerAmount)
      throw changed()
    await post({ ...call, db: tx }, locked, { look, note: note ?? titleOf(locked) })
    await settleDifference(tx, locked, { status: 'recorded', at: call.now(), by: call.actor.principal.id, note })
    recordChange(tx, {
      object,
      id,
      before: { status: 'open' },
      after: { status: 'recorded', entries: locked.proposal, note: note ?? null },
    })
    await publishReconciliation(call, tx, organizationId)
  })
}

/** As they are written: the database orders the members of objects by their names’ lengths. */
const sorted = ({ proposal }: DifferenceRow) =>
  proposal.map(({ correctsId, currency, entries }) => ({
    correctsId,
    currency,
    entries: entries.map(({ account, amount }) => ({ account, amount })),
  }))

async function readProviderBalance(call: ResolveCall, row: DifferenceRow): Promise<bigint> {
  const { currency } = row
  const { payer } = await accountOfDifference(call, row)
  const { available, pending } = await call.gateway.payments.getBalance(payer)
  return [...available, ...pending]
    .filter((funds) => funds.currency === currency)
    .reduce((sum, funds) => sum + fromProviderUnits(funds.amount, funds.currency), 0n)
}

async function readClearing(tx: Database, { organizationId, currency }: DifferenceRow): Promise<bigint> {
  const [row] = await tx
    .select({ sum: sql`coalesce(sum(${ledgerBalances.balance}), 0)`.mapWith(BigInt) })
    .from(ledgerBalances)
    .where(
      and(
        eq(ledgerBalances.organizationId, organizationId),
        eq(ledgerBalances.account, 'clearing'),
        eq(ledgerBalances.currency, currency ?? ''),
      ),
    )
  return row?.sum ?? 0n
}

async function post(
  call: ResolveCall,
  { organizationId, kind, proposal }: DifferenceRow,
  { look, note }: { look: Look | null; note: string },
): Promise<void> {
  const { db } = call
  if (kind === 'missing_in_ledger' && look?.movement) {
    const { id: merchantId } = await ensureDefaultMerchant(db, organizationId)
    await postTransaction(call, db, {
      ...missingPosting(look.movement, { organizationId, merchantId }),
      note,
      createdBy: call.actor.principal.id,
    })
    return
  }
  for (const { correctsId, currency, entries } of proposal) {
    const place =
      correctsId === null
        ? { merchantId: (await ensureDefaultMerchant(db, organizationId)).id }
        : {
            correctsId,
            venueId: (await getTransaction(db, organizationId, correctsId)).entries[0]?.venueId ?? undefined,
          }
    await correctLedger(call, {
      ...place,
      currency: Currency.parse(currency),
      note,
      entries: entries.map(({ account, amount }) => ({ account, amount: BigInt(amount) })),
    })
  }
}
