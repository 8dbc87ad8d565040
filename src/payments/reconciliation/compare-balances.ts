import { and, eq, inArray, isNotNull, lt, sql } from 'drizzle-orm'
import { transact, type Database } from '#lib/db.ts'
import { readMovements } from '../movements/read.ts'
import { fromProviderUnits } from '../provider-units.ts'
import { ledgerBalances, reconciliationDifferences } from '../schema.ts'
import type { StoredBalance, Unbooked } from '../schema/reconciliation.ts'
import type { Comparison, Finding } from './findings.ts'
import { readSides, sumOf } from './ledger-side.ts'

interface ComparedBalances {
  balances: readonly StoredBalance[]
  findings: readonly Finding[]
}

const maxReads = 5
/** Movements since the run began. With more, the next run compares the balances. */
const maxLate = 2_000

/**
 * What remains of the difference of the balances after everything that is known: other differences, and what isn’t booked
 * yet. Null while the balance moves too much. @throws {Problem} of the gateway
 */
export async function compareBalances(
  comparison: Comparison,
  { runId, unbooked }: { runId: string; unbooked: readonly Unbooked[] },
): Promise<ComparedBalances | null> {
  const { work, account, until } = comparison
  for (let reads = 0; reads < maxReads; reads += 1) {
    const before = await readHead(comparison)
    const { available, pending } = await work.gateway.payments.getBalance(account.payer)
    const late: Unbooked[] = []
    for await (const page of readMovements(work, account, { from: until })) {
      late.push(...page.map(({ id, currency, net }) => ({ id, currency, net })))
      if (late.length > maxLate) return null
    }
    if ((await readHead(comparison)) !== before) continue
    const provider = new Map<string, bigint>()
    for (const { currency, amount } of [...available, ...pending]) add(provider, currency, amount)
    return transact(work.db, async (tx) => {
      await tx.execute(sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ`)
      const ledger = await readClearing(tx, comparison)
      const known = await readKnown(tx, comparison, runId)
      for (const [currency, amount] of await readUnbooked(tx, comparison, [...unbooked, ...late]))
        known.set(currency, (known.get(currency) ?? 0n) + amount)
      const currencies = [...new Set([...provider.keys(), ...ledger.keys()])].sort()
      return describe(
        currencies.map((currency) => {
          const [theirs, ours] = [provider.get(currency) ?? 0n, ledger.get(currency) ?? 0n]
          return { currency, ledger: ours, provider: theirs, unexplained: theirs - ours - (known.get(currency) ?? 0n) }
        }),
      )
    })
  }
  return null
}

function add(sums: Map<string, bigint>, currency: string, units: number): void {
  sums.set(currency, (sums.get(currency) ?? 0n) + fromProviderUnits(units, currency))
}

async function readHead({ work, account, from }: Comparison): Promise<string> {
  const newest = { ...account.payer, limit: 1, createdFrom: from.toISOString() }
  return (await work.gateway.payments.listBalanceTransactions(newest)).items[0]?.id ?? ''
}

async function readClearing(tx: Database, { account }: Comparison): Promise<Map<string, bigint>> {
  const rows = await tx
    .select({ currency: ledgerBalances.currency, sum: sql`sum(${ledgerBalances.balance})`.mapWith(BigInt) })
    .from(ledgerBalances)
    .where(and(eq(ledgerBalances.organizationId, account.organizationId), eq(ledgerBalances.account, 'clearing')))
    .groupBy(ledgerBalances.currency)
  return new Map(rows.map(({ currency, sum }) => [currency, sum]))
}

/** What differences of amounts explain: those of this run, and older ones that aren’t recorded. */
async function readKnown(tx: Database, { account, from }: Comparison, runId: string): Promise<Map<string, bigint>> {
  const { organizationId, lastRunId, occurredAt, cause, status, currency, providerAmount, ledgerAmount } =
    reconciliationDifferences
  const rows = await tx
    .select({
      currency,
      sum: sql`sum(coalesce(${providerAmount}, 0) - coalesce(${ledgerAmount}, 0))`.mapWith(BigInt),
    })
    .from(reconciliationDifferences)
    .where(
      and(
        eq(organizationId, account.organizationId),
        eq(reconciliationDifferences.account, account.account),
        sql`${cause} LIKE 'movement:%'`,
        isNotNull(currency),
        inArray(status, ['open', 'explained']),
        // What is missing in the ledger is in the list of the run.
        sql`(${reconciliationDifferences.kind} <> 'missing_in_ledger' AND ${lastRunId} = ${runId} OR ${lt(occurredAt, from)})`,
      ),
    )
    .groupBy(currency)
  return new Map(rows.flatMap(({ currency: code, sum }) => (code === null ? [] : [[code, sum] as const])))
}

/** What of movements that weren’t booked when they were read isn’t booked now. */
async function readUnbooked(
  tx: Database,
  { account }: Comparison,
  movements: readonly Unbooked[],
): Promise<Map<string, bigint>> {
  const sides = await readSides(
    tx,
    account.organizationId,
    movements.map(({ id }) => id),
  )
  const sums = new Map<string, bigint>()
  for (const { id, currency, net } of movements) {
    add(sums, currency, net)
    const booked = sumOf(sides.get(id) ?? [], { account: 'clearing', currency })
    sums.set(currency, (sums.get(currency) ?? 0n) - booked)
  }
  return sums
}

interface Balance {
  currency: string
  ledger: bigint
  provider: bigint
  unexplained: bigint
}

const describe = (balances: readonly Balance[]): ComparedBalances => ({
  balances: balances.map(({ currency, ledger, provider, unexplained }) => ({
    currency,
    ledger: String(ledger),
    provider: String(provider),
    unexplained: String(unexplained),
  })),
  findings: balances
    .filter(({ unexplained }) => unexplained !== 0n)
    .map(({ currency, ledger, provider, unexplained }) => ({
      cause: `balance:${currency}`,
      kind: 'balance_differs',
      currency,
      ledgerAmount: ledger,
      providerAmount: provider,
      proposal: [
        {
          correctsId: null,
          currency,
          entries: [
            { account: 'clearing', amount: String(unexplained) },
            { account: 'suspense', amount: String(-unexplained) },
          ],
        },
      ],
    })),
})
