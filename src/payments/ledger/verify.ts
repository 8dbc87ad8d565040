import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { transact, type Database } from '#lib/db.ts'
import type { LedgerVerification } from '../contract/ledger.ts'
import { ledgerBalances, noVenue } from '../schema.ts'
import { readMerchantNames } from './merchants.ts'
import { genesisHash } from './chain.ts'
import {
  balanceKey,
  checkChain,
  differenceOf,
  type Balance,
  type ChainEnd,
  type CheckedChain,
  type Difference,
} from './check-chain.ts'
import { readChain } from './read-chain.ts'

interface Scope {
  organizationId: string
  merchantId?: string | undefined
  signal: AbortSignal
}

const maxDifferences = 100

type Verified = Omit<z.input<typeof LedgerVerification>, 'verifiedAt' | 'durationMs'>

/** Reads every entry once, in one snapshot, and recomputes all hashes, sums and balances (PAY-12). */
export function verifyLedger(db: Database, scope: Scope): Promise<Verified> {
  return transact(db, async (snapshot) => {
    await snapshot.execute(sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY`)
    const chains: CheckedChain[] = []
    const ends: Difference[] = []
    for (const head of await listHeads(snapshot, scope)) {
      const { merchantId } = head
      const chain = await checkChain(merchantId, until(scope.signal, readChain(snapshot, { merchantId })))
      chains.push(chain)
      ends.push(...headFaults(head, chain.last))
    }
    const entries = chains.reduce((sum, chain) => sum + chain.entries, 0)
    const orphans = entries === (await countEntries(snapshot, scope)) ? [] : await findOrphans(snapshot, scope)
    const sums = [...orphans, ...(await compareBalances(snapshot, scope, chains))]
    const found = chains.flatMap(({ differences }) => differences)
    const differences = [...found, ...ends, ...sums]
    const names = await readMerchantNames(
      snapshot,
      chains.map(({ merchantId }) => merchantId),
    )
    const isSum = ({ kind }: Difference) => kind === 'unbalanced' || kind === 'balance' || kind === 'orphan'
    return {
      balanced: !differences.some(isSum),
      chained: differences.every(isSum),
      transactions: chains.reduce((sum, { transactions }) => sum + transactions, 0),
      entries,
      differences: differences.slice(0, maxDifferences),
      heads: chains.map(({ merchantId, transactions, first, last, verifiedThrough, ...chain }) => ({
        merchantId,
        merchantName: names.get(merchantId) ?? null,
        transactions,
        entries: chain.entries,
        first: withTime(first),
        last: withTime(last),
        verifiedThrough,
      })),
    }
  })
}

const withTime = (end: ChainEnd | null) => end && { ...end, at: new Date(end.at) }

async function* until<Part>(signal: AbortSignal, parts: AsyncIterable<Part>): AsyncGenerator<Part> {
  for await (const part of parts) {
    signal.throwIfAborted()
    yield part
  }
}

const Heads = z.array(
  z.object({
    merchantId: z.string(),
    sequence: z.coerce.bigint().nullable(),
    hash: z.string().nullable(),
  }),
)
type StoredHead = z.output<typeof Heads>[number]

const ownBy = (table: string, { organizationId, merchantId }: Scope) => {
  const column = (name: string) => sql.raw(`${table}.${name}`)
  return merchantId === undefined
    ? sql`${column('organization_id')} = ${organizationId}`
    : sql`${column('organization_id')} = ${organizationId} AND ${column('merchant_id')} = ${merchantId}`
}

/** Also of merchants whose head was removed. */
async function listHeads(db: Database, scope: Scope): Promise<StoredHead[]> {
  const rows = await db.execute(sql`
    SELECT coalesce(head.merchant_id, written.merchant_id) AS "merchantId",
      head.sequence, head.hash
    FROM (SELECT * FROM payments.ledger_heads WHERE ${ownBy('ledger_heads', scope)}) AS head
    FULL JOIN (
      SELECT DISTINCT merchant_id FROM payments.ledger_transactions
      WHERE ${ownBy('ledger_transactions', scope)}
    ) AS written ON written.merchant_id = head.merchant_id
    ORDER BY 1`)
  return Heads.parse(rows)
}

function headFaults({ merchantId, sequence, hash }: StoredHead, last: ChainEnd | null): Difference[] {
  const expected = `${last?.sequence ?? 0} ${last?.hash ?? genesisHash}`
  const stored = sequence === null ? null : `${sequence} ${hash}`
  return stored === expected ? [] : [differenceOf({ kind: 'head', merchantId, sequence, expected, stored })]
}

const Orphans = z.array(
  z.object({ merchantId: z.string(), transactionId: z.string(), currency: z.string(), account: z.string() }),
)

async function countEntries(db: Database, scope: Scope): Promise<number> {
  const rows = await db.execute(sql`
    SELECT count(*) AS count FROM payments.ledger_entries WHERE ${ownBy('ledger_entries', scope)}`)
  return Counted.parse(rows)[0].count
}

const Counted = z.tuple([z.object({ count: z.coerce.number() })])

/** Entries that belong to no transaction of their merchant. */
async function findOrphans(db: Database, scope: Scope): Promise<Difference[]> {
  const rows = await db.execute(sql`
    SELECT merchant_id AS "merchantId", transaction_id AS "transactionId", currency, account
    FROM payments.ledger_entries AS entry
    WHERE ${ownBy('entry', scope)}
      AND NOT EXISTS (
        SELECT FROM payments.ledger_transactions AS one
        WHERE one.id = entry.transaction_id AND one.merchant_id = entry.merchant_id
          AND one.organization_id = entry.organization_id)
    ORDER BY transaction_id, position LIMIT ${maxDifferences}`)
  return Orphans.parse(rows).map((orphan) => differenceOf({ kind: 'orphan', ...orphan }))
}

async function compareBalances(db: Database, scope: Scope, chains: readonly CheckedChain[]): Promise<Difference[]> {
  const rows = await db.select().from(ledgerBalances).where(ownBy('ledger_balances', scope))
  const byMerchant = Map.groupBy(rows, ({ merchantId }) => merchantId)
  const sumsOf = new Map(chains.map(({ merchantId, sums }) => [merchantId, sums]))
  return [...new Set([...sumsOf.keys(), ...byMerchant.keys()])].flatMap((merchantId) => {
    const stored = (byMerchant.get(merchantId) ?? []).map(({ venueId, account, currency, balance }) => ({
      venueId: venueId === noVenue ? null : venueId,
      account,
      currency,
      sum: balance,
    }))
    return balanceFaults(merchantId, [...(sumsOf.get(merchantId)?.values() ?? [])], stored)
  })
}

function balanceFaults(merchantId: string, expected: readonly Balance[], stored: readonly Balance[]): Difference[] {
  const sums = new Map(expected.map((balance) => [balanceKey(balance), balance.sum]))
  const balances = new Map(stored.map((balance) => [balanceKey(balance), balance.sum]))
  const all = new Map([...expected, ...stored].map((balance) => [balanceKey(balance), balance]))
  return [...all].flatMap(([key, { venueId, account, currency }]) => {
    const [sum, balance] = [sums.get(key) ?? 0n, balances.get(key) ?? 0n]
    if (sum === balance) return []
    const difference = { merchantId, venueId, account, currency, expected: String(sum), stored: String(balance) }
    return [differenceOf({ kind: 'balance', ...difference })]
  })
}
