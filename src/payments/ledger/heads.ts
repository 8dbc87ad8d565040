import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { executePrepared, type Database } from '#lib/db.ts'
import { genesisHash } from './chain.ts'

/** The end of a merchant’s chain. */
export interface Head {
  readonly sequence: bigint
  readonly hash: string
}

interface Owner {
  readonly organizationId: string
  readonly merchantId: string
}

const Heads = z.array(
  z.object({ merchantId: z.string(), organizationId: z.string(), sequence: z.coerce.bigint(), hash: z.string() }),
)

/** Until the end of the transaction, in the order of the merchants’ IDs. @throws for a merchant of another organization */
export async function lockHeads(tx: Database, owners: readonly Owner[]): Promise<ReadonlyMap<string, Head>> {
  const ids = [...new Set(owners.map(({ merchantId }) => merchantId))]
  const found = await selectForUpdate(tx, ids)
  const heads = found.size === ids.length ? found : await createHeads(tx, ids)
  for (const { merchantId, organizationId } of owners)
    if (heads.get(merchantId)?.organizationId !== organizationId)
      throw new Error(`Merchant ${merchantId} is not one of organization ${organizationId}`)
  return heads
}

async function selectForUpdate(tx: Database, merchantIds: readonly string[]) {
  const rows = await executePrepared(
    tx,
    sql`SELECT merchant_id AS "merchantId", organization_id AS "organizationId", sequence, hash
      FROM payments.ledger_heads WHERE merchant_id = ANY (${sql.param(merchantIds)}::uuid[])
      ORDER BY merchant_id FOR UPDATE`,
  )
  return new Map(Heads.parse(rows).map((head) => [head.merchantId, head]))
}

async function createHeads(tx: Database, merchantIds: readonly string[]) {
  await tx.execute(sql`
    INSERT INTO payments.ledger_heads (merchant_id, organization_id, sequence, hash)
    SELECT id, organization_id, 0, ${genesisHash} FROM payments.merchants
    WHERE id = ANY (${sql.param(merchantIds)}::uuid[]) ORDER BY id
    ON CONFLICT (merchant_id) DO NOTHING`)
  return selectForUpdate(tx, merchantIds)
}
