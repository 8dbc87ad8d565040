import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import type { Spend } from '../budgets/counters.ts'
import { Family, Payer } from '../contract/families.ts'
import type { UsageRow } from '../usage/insert.ts'

export type Correction = Pick<UsageRow, 'organizationId' | 'requestId' | 'costNanoUsd' | 'certainty'>

const Corrected = z.object({
  organizationId: z.string(),
  applicationId: z.string().nullable(),
  apiKeyId: z.string().nullable(),
  family: Family,
  paidBy: Payer,
  occurredAt: z.coerce.date(),
  costNanoUsd: z.coerce.bigint(),
})

/**
 * Gives rows that a crash left `suspect` their real cost, in raw and daily rows. Returns the differences; nothing for
 * rows that aren't suspect.
 */
export async function correctSuspects(tx: Database, corrections: readonly Correction[]): Promise<Spend[]> {
  if (corrections.length === 0) return []
  const given = JSON.stringify(
    corrections.map(({ organizationId, requestId, costNanoUsd, certainty }) => ({
      o: organizationId,
      r: requestId,
      n: String(costNanoUsd),
      c: certainty,
    })),
  )
  const rows = await tx.execute(sql`
    WITH given AS MATERIALIZED (
      SELECT * FROM json_to_recordset(${given}::json) AS given (o uuid, r text, n bigint, c text)
    ), suspect AS MATERIALIZED (
      SELECT logs.*, n, c FROM given
      JOIN gateway.usage_dedupe AS known ON known.organization_id = o AND known.request_id = r COLLATE "C"
      JOIN gateway.usage_logs AS logs ON logs.organization_id = o AND logs.occurred_at = known.occurred_at
        AND logs.request_id = known.request_id AND certainty = 'suspect'
      ORDER BY o, r FOR UPDATE OF logs
    ), raw AS (
      UPDATE gateway.usage_logs AS logs SET cost_nano_usd = n, certainty = c FROM suspect
      WHERE logs.organization_id = suspect.organization_id AND logs.occurred_at = suspect.occurred_at
        AND logs.id = suspect.id
    ), differences AS MATERIALIZED (
      SELECT organization_id, (occurred_at AT TIME ZONE 'UTC')::date AS day, family, provider, model, unit,
        application_id, api_key_id, user_id, paid_by, sum(n - cost_nano_usd) AS difference
      FROM suspect GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
    ), daily AS (
      UPDATE gateway.usage_daily AS daily SET cost_nano_usd = daily.cost_nano_usd + difference FROM differences
      WHERE (daily.organization_id, daily.day, daily.family, daily.provider, daily.unit, daily.paid_by)
          = (differences.organization_id, differences.day, differences.family, differences.provider, differences.unit,
            differences.paid_by)
        AND (daily.model, daily.application_id, daily.api_key_id, daily.user_id) IS NOT DISTINCT FROM
          (differences.model, differences.application_id, differences.api_key_id, differences.user_id)
    )
    SELECT organization_id AS "organizationId", application_id AS "applicationId", api_key_id AS "apiKeyId", family,
      paid_by AS "paidBy", occurred_at AS "occurredAt", n - cost_nano_usd AS "costNanoUsd" FROM suspect`)
  return rows.map((row) => Corrected.parse(row))
}
