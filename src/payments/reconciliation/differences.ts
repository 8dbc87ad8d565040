import { and, eq, inArray, isNull, ne, or, sql, gte, type SQL } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { newId } from '#lib/ids.ts'
import { raiseAction, resolveAction } from '#lib/raised-actions.ts'
import { differenceKind } from '../notification-kinds.ts'
import { reconciliationDifferences } from '../schema.ts'
import type { Finding } from './findings.ts'
import { buttonsOf } from './buttons.ts'
import { adviceOf, titleOf } from './words.ts'

export type DifferenceRow = typeof reconciliationDifferences.$inferSelect

interface Found {
  organizationId: string
  account: string
  runId: string
  at: Date
}

const facts = (finding: Finding) => ({
  kind: finding.kind,
  currency: finding.currency ?? null,
  ledgerAmount: finding.ledgerAmount ?? null,
  providerAmount: finding.providerAmount ?? null,
  ledgerFee: finding.ledgerFee ?? null,
  providerFee: finding.providerFee ?? null,
  ledgerState: finding.ledgerState ?? null,
  providerState: finding.providerState ?? null,
  providerReference: finding.providerReference ?? null,
  sourceReference: finding.sourceReference ?? null,
  transactionId: finding.transactionId ?? null,
  merchantId: finding.merchantId ?? null,
  orderId: finding.orderId ?? null,
  paymentId: finding.paymentId ?? null,
  refundId: finding.refundId ?? null,
  itemId: finding.itemId ?? null,
  occurredAt: finding.occurredAt ?? null,
  detail: finding.detail?.slice(0, 500) ?? null,
  proposal: finding.proposal ?? [],
})

type Facts = ReturnType<typeof facts>

/** Explained ones with other amounts than those that were explained are open again. */
const isSame = (row: DifferenceRow, found: Facts): boolean =>
  row.kind === found.kind &&
  row.ledgerAmount === found.ledgerAmount &&
  row.providerAmount === found.providerAmount &&
  row.ledgerFee === found.ledgerFee &&
  row.providerFee === found.providerFee &&
  row.ledgerState === found.ledgerState &&
  row.providerState === found.providerState

/** One row for each cause, with an action while it is open. Returns how many the run hadn’t found yet. On a transaction. */
export async function saveFindings(tx: Database, found: Found, findings: readonly Finding[]): Promise<number> {
  let saved = 0
  for (const finding of findings) if (await saveFinding(tx, found, finding)) saved += 1
  return saved
}

async function saveFinding(
  tx: Database,
  { organizationId, account, runId, at }: Found,
  finding: Finding,
): Promise<boolean> {
  const { cause } = finding
  const values = facts(finding)
  const [inserted] = await tx
    .insert(reconciliationDifferences)
    .values({
      id: newId(),
      organizationId,
      account,
      cause,
      ...values,
      firstSeenAt: at,
      lastSeenAt: at,
      lastRunId: runId,
    })
    .onConflictDoNothing()
    .returning()
  if (inserted) {
    await raise(tx, inserted)
    return true
  }
  const [row] = await tx
    .select()
    .from(reconciliationDifferences)
    .where(
      and(
        eq(reconciliationDifferences.organizationId, organizationId),
        eq(reconciliationDifferences.account, account),
        eq(reconciliationDifferences.cause, cause),
      ),
    )
    .for('update')
  // The movement of a refund is described by its amounts, which come first.
  if (!row || row.lastRunId === runId) return false
  const staysExplained = row.status === 'explained' && isSame(row, values)
  const [updated] = await tx
    .update(reconciliationDifferences)
    .set({
      ...values,
      lastSeenAt: at,
      lastRunId: runId,
      ...(!staysExplained && { status: 'open', resolvedAt: null, resolvedBy: null, note: null }),
      ...(row.status === 'resolved' && { firstSeenAt: at }),
      version: sql`${reconciliationDifferences.version} + 1`,
    })
    .where(eq(reconciliationDifferences.id, row.id))
    .returning()
  if (updated?.status === 'open') await raise(tx, updated)
  return true
}

const actionOf = ({ id }: Pick<DifferenceRow, 'id'>): string => `reconciliation:${id}`

function raise(tx: Database, row: DifferenceRow): Promise<void> {
  const href = `/pay/reconciliation#difference-${row.id}`
  return raiseAction(tx, {
    kind: differenceKind,
    organizationId: row.organizationId,
    cause: actionOf(row),
    title: titleOf(row),
    reason: adviceOf(row),
    href,
    actions: buttonsOf(row, href),
  })
}

interface Resolution {
  status: 'explained' | 'recorded' | 'resolved'
  at: Date
  by: string | null
  note?: string
}

/** Ends an open difference and its action. On a transaction. */
export async function settleDifference(
  tx: Database,
  { id }: Pick<DifferenceRow, 'id'>,
  { status, at, by, note }: Resolution,
): Promise<void> {
  await tx
    .update(reconciliationDifferences)
    .set({
      status,
      resolvedAt: at,
      resolvedBy: by,
      ...(note !== undefined && { note }),
      version: sql`${reconciliationDifferences.version} + 1`,
    })
    .where(eq(reconciliationDifferences.id, id))
  await resolveAction(tx, actionOf({ id }))
}

interface Ended extends Found {
  from: Date
  /** Balances were compared. */
  hasBalances: boolean
}

/** What a run that came to its end no longer found is resolved; older movements than it read stay. On a transaction. */
export async function resolveGone(
  tx: Database,
  { organizationId, account, runId, at, from, hasBalances }: Ended,
): Promise<void> {
  const { cause, occurredAt, lastRunId, status } = reconciliationDifferences
  const wasLooked: (SQL | undefined)[] = [
    gte(occurredAt, from),
    sql`${cause} LIKE 'payout:%'`,
    eq(cause, 'run'),
    hasBalances ? sql`${cause} LIKE 'balance:%'` : undefined,
  ]
  const gone = await tx
    .select({ id: reconciliationDifferences.id })
    .from(reconciliationDifferences)
    .where(
      and(
        eq(reconciliationDifferences.organizationId, organizationId),
        inArray(reconciliationDifferences.account, [account, '']),
        eq(status, 'open'),
        or(isNull(lastRunId), ne(lastRunId, runId), eq(cause, 'run')),
        or(...wasLooked),
      ),
    )
  for (const row of gone) await settleDifference(tx, row, { status: 'resolved', at, by: null })
}
