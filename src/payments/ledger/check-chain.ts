import { genesisHash, hashTransaction } from './chain.ts'
import type { LedgerDifference } from '../contract/ledger.ts'
import type { StoredTransaction } from './read-chain.ts'
import type { z } from 'zod'

export type Difference = z.input<typeof LedgerDifference>

export interface ChainEnd {
  sequence: bigint
  hash: string
  at: string
}

/** What a merchant’s chain was found to be. */
export interface CheckedChain {
  merchantId: string
  transactions: number
  entries: number
  first: ChainEnd | null
  last: ChainEnd | null
  verifiedThrough: bigint
  differences: Difference[]
  sums: BalanceSums
}

export interface Balance {
  venueId: string | null
  account: string
  currency: string
  sum: bigint
}

type BalanceSums = Map<string, Balance>

export const balanceKey = ({ venueId, account, currency }: Omit<Balance, 'sum'>): string =>
  `${account} ${venueId} ${currency}`

const nothing = {
  sequence: null,
  transactionId: null,
  venueId: null,
  account: null,
  currency: null,
  expected: null,
  stored: null,
}

export const differenceOf = (found: Pick<Difference, 'kind' | 'merchantId'> & Partial<Difference>): Difference => ({
  ...nothing,
  ...found,
})

/** Recomputes the hashes and sums of all transactions of a merchant. Give them in order. */
export async function checkChain(
  merchantId: string,
  parts: AsyncIterable<readonly StoredTransaction[]>,
): Promise<CheckedChain> {
  const checked: CheckedChain = {
    merchantId,
    transactions: 0,
    entries: 0,
    first: null,
    last: null,
    verifiedThrough: 0n,
    differences: [],
    sums: new Map(),
  }
  let isIntact = true
  for await (const part of parts)
    for (const one of part) {
      const broken = [linkFault(merchantId, checked.last, one), hashFault(one)].filter((fault) => fault !== null)
      checked.differences.push(...broken, ...sumFaults(one))
      addTo(checked.sums, one)
      isIntact &&= broken.length === 0
      if (isIntact) checked.verifiedThrough = one.sequence
      checked.transactions++
      checked.entries += one.entries.length
      checked.last = endOf(one)
      checked.first ??= checked.last
    }
  return checked
}

function addTo(sums: BalanceSums, { entries }: StoredTransaction): void {
  for (const entry of entries) {
    const key = balanceKey(entry)
    const known = sums.get(key)
    if (known) known.sum += entry.amount
    else sums.set(key, { venueId: entry.venueId, account: entry.account, currency: entry.currency, sum: entry.amount })
  }
}

const endOf = ({ sequence, hash, at }: StoredTransaction): ChainEnd => ({ sequence, hash, at })

function linkFault(merchantId: string, before: ChainEnd | null, one: StoredTransaction): Difference | null {
  const expected = (before?.sequence ?? 0n) + 1n
  if (one.sequence !== expected) return differenceOf({ kind: 'missing', merchantId, sequence: expected })
  const previousHash = before?.hash ?? genesisHash
  if (one.previousHash === previousHash) return null
  const { sequence, id, previousHash: stored } = one
  return differenceOf({ kind: 'link', merchantId, sequence, transactionId: id, expected: previousHash, stored })
}

function hashFault(one: StoredTransaction): Difference | null {
  const expected = hashTransaction(one)
  if (one.hash === expected) return null
  const { merchantId, sequence, id, hash } = one
  return differenceOf({ kind: 'hash', merchantId, sequence, transactionId: id, expected, stored: hash })
}

function sumFaults({ merchantId, sequence, id, currency: usual, entries }: StoredTransaction): Difference[] {
  if (entries.every(({ currency }) => currency === usual) && total(entries) === 0n) return []
  const sums = new Map<string, bigint>()
  for (const { currency, amount } of entries) sums.set(currency, (sums.get(currency) ?? 0n) + amount)
  return [...sums]
    .filter(([, sum]) => sum !== 0n)
    .map(([currency, sum]) =>
      differenceOf({
        kind: 'unbalanced',
        merchantId,
        sequence,
        transactionId: id,
        currency,
        expected: '0',
        stored: String(sum),
      }),
    )
}

const total = (entries: StoredTransaction['entries']): bigint => entries.reduce((sum, { amount }) => sum + amount, 0n)
