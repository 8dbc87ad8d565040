import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import { newId } from '#lib/ids.ts'
import { Family, Payer } from '../contract/families.ts'
import { insertUsage, type UsageRow } from '../usage/insert.ts'
import { countSpend, limitsLock, type Counted } from './counters.ts'
import { writeOffLeases } from './write-offs.ts'

const HoldRow = z.object({
  requestId: z.string(),
  organizationId: z.string(),
  applicationId: z.string().nullable(),
  apiKeyId: z.string().nullable(),
  userId: z.string().nullable(),
  family: Family,
  provider: z.string(),
  model: z.string().nullable(),
  paidBy: Payer,
  amount: z.coerce.bigint(),
  parts: z.array(z.object({ limitId: z.string(), periodStart: z.coerce.date() })),
  heldAt: z.coerce.date(),
})

const holdFields = sql`request_id AS "requestId", organization_id AS "organizationId",
  application_id AS "applicationId", api_key_id AS "apiKeyId", user_id AS "userId", family, provider, model,
  paid_by AS "paidBy", amount_nano_usd AS amount, parts, held_at AS "heldAt"`

/** Before locking anything else, since changes of limits lock servers too. */
export const keepLimits = (tx: Database) => tx.execute(sql`SELECT pg_advisory_xact_lock_shared(${limitsLock})`)

/** Locks one server that hasn't been seen for `staleMs`, unless another process recovers it. Null when there is none. */
export async function lockStaleServer(tx: Database, staleMs: number): Promise<string | null> {
  const [row] = await tx.execute<{ id: string }>(sql`
    SELECT id FROM gateway.gateway_servers
    WHERE last_seen_at < clock_timestamp() - ${staleMs} * interval '1 millisecond'
    ORDER BY last_seen_at LIMIT 1 FOR UPDATE SKIP LOCKED`)
  return row?.id ?? null
}

/**
 * Ends a server: its holds become usage at the amount that they held, which is `suspect` until the real cost is known.
 * The rest of its leases goes back, or counts as spent when it crashed and can have had holds without a row.
 */
export async function recoverServer(
  tx: Database,
  serverId: string,
  { crashed }: { crashed: boolean },
): Promise<Counted[]> {
  const [server] = await tx.execute<{ journalsFirst: boolean }>(sql`
    SELECT journals_first AS "journalsFirst" FROM gateway.gateway_servers WHERE id = ${serverId} FOR UPDATE`)
  const found = await tx.execute(sql`
    DELETE FROM gateway.budget_holds WHERE server_id = ${serverId} RETURNING ${holdFields}`)
  const holds = found.map((row) => HoldRow.parse(row))
  const { inserted, duplicates, conflicts } = await insertUsage(tx, holds.map(suspectOf))
  const renamed = [...duplicates, ...conflicts].map((row) => ({ ...row, requestId: `${row.requestId}/${row.id}` }))
  if (renamed.length > 0) await insertUsage(tx, renamed)
  const counted = await countSpend(tx, [...inserted, ...renamed])
  await tx.execute(sql`
    SELECT 1 FROM gateway.budget_periods JOIN gateway.budget_leases USING (limit_id, period_start)
    WHERE server_id = ${serverId} ORDER BY limit_id, period_start FOR UPDATE OF budget_periods`)
  if (crashed && server?.journalsFirst === false) {
    const held = holds.flatMap(({ parts, amount }) => parts.map((part) => ({ ...part, amountNanoUsd: amount })))
    await writeOffLeases(tx, serverId, held)
  } else await endLeases(tx, serverId)
  await tx.execute(sql`DELETE FROM gateway.gateway_servers WHERE id = ${serverId}`)
  return counted
}

const endLeases = (tx: Database, serverId: string) =>
  tx.execute(sql`
    WITH ended AS (
      DELETE FROM gateway.budget_leases WHERE server_id = ${serverId}
      RETURNING limit_id, period_start, amount_nano_usd
    )
    UPDATE gateway.budget_periods AS period SET leased_nano_usd = leased_nano_usd - amount_nano_usd FROM ended
    WHERE period.limit_id = ended.limit_id AND period.period_start = ended.period_start`)

const suspectOf = ({ amount, heldAt, ...hold }: z.output<typeof HoldRow>): UsageRow => ({
  id: newId(),
  organizationId: hold.organizationId,
  requestId: hold.requestId,
  applicationId: hold.applicationId,
  apiKeyId: hold.apiKeyId,
  userId: hold.userId,
  family: hold.family,
  provider: hold.provider,
  model: hold.model,
  paidBy: hold.paidBy,
  unit: 'request',
  quantity: 1,
  costNanoUsd: amount,
  certainty: 'suspect',
  priceDate: null,
  occurredAt: heldAt,
  metadata: {},
})
