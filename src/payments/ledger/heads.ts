import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { executePrepared, type Database } from '#lib/db.ts'
import { genesisHash } from './chain.ts'

/** The end of a merchant’s chain. */
export interface Head {
  readonly sequence: bigint
  readonly hash: string
  /** The first day that can be booked to; null when no month is closed. */
  readonly openFrom: string | null
  /** Of the merchant’s days. */
  readonly timeZone: string
}

interface Wanted {
  readonly organizationId: string
  readonly merchantId: string
  readonly kind: string
  readonly providerTransactionId?: string | null | undefined
}

interface Locked<Posting> {
  /** Those whose provider transaction wasn’t posted with their kind when the lock was requested. */
  readonly fresh: readonly Posting[]
  readonly heads: ReadonlyMap<string, Head>
}

const Row = z.object({
  known: z.array(z.number()),
  heads: z.array(
    z.object({
      merchantId: z.string(),
      organizationId: z.string(),
      sequence: z.coerce.bigint(),
      hash: z.string(),
      openFrom: z.string().nullable(),
      timeZone: z.string(),
    }),
  ),
})

/**
 * Until the end of the transaction, in the order of the merchants’ IDs; none when nothing is fresh. @throws for a
 * merchant of another organization
 */
export async function lockHeads<Posting extends Wanted>(
  tx: Database,
  postings: readonly Posting[],
): Promise<Locked<Posting>> {
  const ids = [...new Set(postings.map(({ merchantId }) => merchantId))]
  const locked = await lock(tx, postings, ids)
  if (locked.fresh.length === 0) return locked
  const { fresh, heads } = locked.heads.size === ids.length ? locked : await createHeads(tx, postings, ids)
  for (const { merchantId, organizationId } of fresh)
    if (heads.get(merchantId)?.organizationId !== organizationId)
      throw new Error(`Merchant ${merchantId} is not one of organization ${organizationId}`)
  return { fresh, heads }
}

/**
 * Whether the provider transaction of `given` is posted with its kind. A subquery of its own, and with OFFSET, so that it
 * uses the index by provider transaction however few rows the statistics know: others contain all of an organization.
 */
export const isPosted = sql`(
  SELECT true FROM (
    SELECT organization_id, kind FROM payments.ledger_transactions
    WHERE provider_transaction_id = given."providerTransactionId" OFFSET 0
  ) AS posted WHERE posted.organization_id = given."organizationId" AND posted.kind = given.kind)`

/** Two in one statement: a payment is synced many times, and mostly everything is posted already. */
async function lock<Posting extends Wanted>(
  tx: Database,
  postings: readonly Posting[],
  merchantIds: readonly string[],
) {
  const given = postings.map(({ organizationId, kind, providerTransactionId }, at) => ({
    at,
    organizationId,
    kind,
    providerTransactionId,
  }))
  const [row] = await executePrepared(
    tx,
    sql`WITH known AS MATERIALIZED (
      SELECT at FROM json_to_recordset(${JSON.stringify(given)}::json) AS given (
        at integer, "organizationId" uuid, kind text, "providerTransactionId" text)
      WHERE ${isPosted}
    ), heads AS MATERIALIZED (
      SELECT merchant_id AS "merchantId", organization_id AS "organizationId", sequence::text AS sequence, hash,
        open_from AS "openFrom",
        (SELECT timezone FROM payments.merchants WHERE merchants.id = merchant_id) AS "timeZone"
      FROM payments.ledger_heads
      WHERE merchant_id = ANY (${sql.param(merchantIds)}::uuid[])
        AND (SELECT count(*) FROM known) < ${given.length}::integer
      ORDER BY merchant_id FOR UPDATE
    ) SELECT coalesce((SELECT json_agg(at) FROM known), '[]') AS known,
      coalesce((SELECT json_agg(heads) FROM heads), '[]') AS heads`,
  )
  const { known, heads } = Row.parse(row)
  return {
    fresh: postings.filter((_, at) => !known.includes(at)),
    heads: new Map(heads.map((head) => [head.merchantId, head])),
  }
}

/** Creates it when the merchant has no ledger yet. */
export async function lockHead(tx: Database, merchant: Pick<Wanted, 'organizationId' | 'merchantId'>): Promise<Head> {
  const { heads } = await lockHeads(tx, [{ ...merchant, kind: 'correction' }])
  const head = heads.get(merchant.merchantId)
  if (!head) throw new Error(`The ledger of merchant ${merchant.merchantId} is not locked`)
  return head
}

async function createHeads<Posting extends Wanted>(
  tx: Database,
  postings: readonly Posting[],
  merchantIds: readonly string[],
) {
  await tx.execute(sql`
    INSERT INTO payments.ledger_heads (merchant_id, organization_id, sequence, hash)
    SELECT id, organization_id, 0, ${genesisHash} FROM payments.merchants
    WHERE id = ANY (${sql.param(merchantIds)}::uuid[]) ORDER BY id
    ON CONFLICT (merchant_id) DO NOTHING`)
  return lock(tx, postings, merchantIds)
}
