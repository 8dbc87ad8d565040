import type { Database } from '#lib/db.ts'
import { canonicalText } from './chain.ts'
import { readChain, type StoredTransaction } from './read-chain.ts'

interface Chain {
  merchantId: string
  /** Of the last transaction. */
  sequence: bigint
}

/** The canonical text of each transaction with its hash as the last member: NDJSON (docs/payments-ledger.md). */
export async function* writeProof(db: Database, chains: readonly Chain[]): AsyncGenerator<string> {
  for (const { merchantId, sequence } of chains)
    for await (const part of readChain(db, { merchantId, through: sequence })) yield part.map(lineOf).join('')
}

const lineOf = (one: StoredTransaction): string => `${canonicalText(one).slice(0, -1)},"hash":"${one.hash}"}\n`
