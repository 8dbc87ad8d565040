import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { recordChange } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { conflict, forbidden, invalid, notFound } from '#lib/errors.ts'
import { countSpend } from '../budgets/counters.ts'
import { keepLimits } from '../budgets/recover.ts'
import { Certainty, Payer } from '../contract/families.ts'
import type { UsageCorrection } from '../contract/usage-correction.ts'
import { correctSuspects } from '../ledger/correct.ts'
import { dayMs } from './partitions.ts'
import { organizationFor } from './range.ts'
import { getRecord } from './reads.ts'

const Found = z.object({
  requestId: z.string(),
  occurredAt: z.coerce.date(),
  costNanoUsd: z.coerce.bigint(),
  certainty: Certainty,
  paidBy: Payer,
})

const hourMs = 60 * 60_000

/**
 * Gives a `suspect` record the cost that the provider billed, in totals and budgets too. An organization can’t lower what
 * the platform paid. @throws {Problem} 403, 404, 409 `not_suspect`, 422 above what it counts
 */
export async function correctRecord(
  { db, actor, now }: Pick<Call<unknown, Actor>, 'db' | 'actor' | 'now'>,
  { id, organizationId: given, costNanoUsd }: UsageCorrection,
) {
  if (actor.bindings.length > 0) throw forbidden('limits:manage')
  const organizationId = organizationFor(actor, given)
  if (organizationId === null) throw notFound('usage record')
  await keepLimits(db)
  const before = await findRecord(db, { organizationId, id, at: now() })
  if (before.paidBy === 'platform' && !actor.isSuperAdmin) throw forbidden('super-admin')
  if (before.certainty !== 'suspect') throw notSuspect()
  if (costNanoUsd > before.costNanoUsd)
    throw invalid([{ path: 'costNanoUsd', message: `Must be at most ${before.costNanoUsd}, what the record counts.` }])
  const { requestId } = before
  const spends = await correctSuspects(db, [{ organizationId, requestId, costNanoUsd, certainty: 'exact' }])
  if (spends.length === 0) throw notSuspect()
  await countSpend(db, spends)
  recordChange(db, {
    object: 'usage',
    id,
    organizationId,
    before: { costNanoUsd: String(before.costNanoUsd), certainty: before.certainty },
    after: { costNanoUsd: String(costNanoUsd), certainty: 'exact' },
  })
  return getRecord(db, { organizationId, id, occurredAt: before.occurredAt })
}

const notSuspect = () =>
  conflict(
    'not_suspect',
    'This record has its real cost. Only suspect records, which count an upper bound, can be corrected.',
  )

/** The index is by time: the ID has the time at which the record was stored, shortly after its request. */
async function findRecord(db: Database, { organizationId, id, at }: { organizationId: string; id: string; at: Date }) {
  const storedMs = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
  if (storedMs > at.getTime() + hourMs) throw notFound('usage record')
  for (const beforeMs of [hourMs, 400 * dayMs]) {
    const [row] = await db.execute(sql`
      SELECT request_id AS "requestId", occurred_at AS "occurredAt", cost_nano_usd AS "costNanoUsd", certainty,
        paid_by AS "paidBy"
      FROM gateway.usage_logs
      WHERE organization_id = ${organizationId} AND id = ${id}
        AND occurred_at > ${new Date(storedMs - beforeMs).toISOString()}
        AND occurred_at <= ${new Date(storedMs + hourMs).toISOString()}`)
    if (row) return Found.parse(row)
  }
  throw notFound('usage record')
}
