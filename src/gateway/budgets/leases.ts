import { sql, type SQLWrapper } from 'drizzle-orm'
import { z } from 'zod'
import { transact, type Database } from '#lib/db.ts'

interface Place {
  limitId: string
  periodStart: Date
}

export interface Ask extends Place {
  periodEnd: Date | null
  /** What waiting requests need. */
  needNanoUsd: bigint
  /** The bound of a typical request. */
  estimateNanoUsd: bigint
}

/** Amounts after the grant. */
export interface Grant extends Place {
  grantedNanoUsd: bigint
  spentNanoUsd: bigint
  leasedNanoUsd: bigint
  limitNanoUsd: bigint
  /** Leased by this server. */
  ownNanoUsd: bigint
}

const Amount = z.coerce.bigint()
const State = z.object({
  limitId: z.string(),
  periodStart: z.coerce.date(),
  spentNanoUsd: Amount,
  leasedNanoUsd: Amount,
  limitNanoUsd: Amount,
  ownNanoUsd: Amount,
})

/** Fewer requests than this share a lease. */
const requestsPerLease = 100n

/** The needed amount at least, with a reserve that shrinks as the budget does; never more than what is left. */
function leaseSize(left: bigint, { needNanoUsd, estimateNanoUsd }: Pick<Ask, 'needNanoUsd' | 'estimateNanoUsd'>) {
  if (left <= 0n) return 0n
  const reserve = smaller(left / requestsPerLease, estimateNanoUsd * requestsPerLease)
  return smaller(left, reserve > needNanoUsd ? reserve : needNanoUsd)
}

const smaller = (one: bigint, other: bigint): bigint => (one < other ? one : other)

/**
 * Leases from all limits in one transaction, in sorted order; a limit that has been deleted or isn't hard anymore grants
 * nothing and is left out. Null when the server isn't registered anymore.
 */
export const grantLeases = (db: Database, serverId: string, asks: readonly Ask[]): Promise<Grant[] | null> =>
  transact(db, async (tx) => {
    const at = places(asks)
    const ends = sql.param(asks.map(({ periodEnd }) => periodEnd?.toISOString() ?? null))
    const [server] = await tx.execute(sql`
      SELECT 1 FROM gateway.gateway_servers WHERE id = ${serverId} FOR KEY SHARE`)
    if (!server) return null
    await tx.execute(sql`
      INSERT INTO gateway.budget_periods (limit_id, period_start, period_end)
      SELECT asked.limit_id, asked.period_start, asked.period_end
      FROM unnest(${at.limits}::uuid[], ${at.starts}::text[]::timestamptz[], ${ends}::text[]::timestamptz[])
        AS asked (limit_id, period_start, period_end)
      JOIN gateway.limits ON limits.id = asked.limit_id
      ORDER BY asked.limit_id, asked.period_start
      ON CONFLICT DO NOTHING`)
    const rows = await tx.execute(sql`
      SELECT period.limit_id AS "limitId", period.period_start AS "periodStart",
        spent_nano_usd AS "spentNanoUsd", leased_nano_usd AS "leasedNanoUsd", limit_nano_usd AS "limitNanoUsd",
        coalesce((SELECT amount_nano_usd FROM gateway.budget_leases AS lease WHERE lease.server_id = ${serverId}
          AND lease.limit_id = period.limit_id AND lease.period_start = period.period_start), 0) AS "ownNanoUsd"
      FROM gateway.budget_periods AS period
      JOIN unnest(${at.limits}::uuid[], ${at.starts}::text[]::timestamptz[]) AS asked (limit_id, period_start)
        USING (limit_id, period_start)
      JOIN gateway.limits ON limits.id = period.limit_id AND mode = 'hard'
      ORDER BY period.limit_id, period.period_start
      FOR UPDATE OF period FOR SHARE OF limits`)
    const grants = rows.map((row) => {
      const state = State.parse(row)
      const ask = asks.find((one) => one.limitId === state.limitId && +one.periodStart === +state.periodStart)
      const left = state.limitNanoUsd - state.spentNanoUsd - state.leasedNanoUsd
      return { ...state, grantedNanoUsd: ask ? leaseSize(left, ask) : 0n }
    })
    await store(tx, serverId, grants)
    return grants.map((grant) => ({
      ...grant,
      leasedNanoUsd: grant.leasedNanoUsd + grant.grantedNanoUsd,
      ownNanoUsd: grant.ownNanoUsd + grant.grantedNanoUsd,
    }))
  })

/** The database's own guard: spent + leased never exceeds the limit by a grant. @throws when it would */
async function store(tx: Database, serverId: string, all: readonly Grant[]): Promise<void> {
  const grants = all.filter(({ grantedNanoUsd }) => grantedNanoUsd > 0n)
  if (grants.length === 0) return
  const at = places(grants)
  const amounts = sql.param(grants.map(({ grantedNanoUsd }) => String(grantedNanoUsd)))
  const stored = await tx.execute(sql`
    WITH granted AS (
      SELECT * FROM unnest(${at.limits}::uuid[], ${at.starts}::text[]::timestamptz[], ${amounts}::text[]::bigint[])
        AS granted (limit_id, period_start, amount)
    ), counted AS (
      UPDATE gateway.budget_periods AS period SET leased_nano_usd = leased_nano_usd + amount
      FROM granted JOIN gateway.limits ON limits.id = granted.limit_id
      WHERE period.limit_id = granted.limit_id AND period.period_start = granted.period_start
        AND spent_nano_usd + leased_nano_usd + amount <= limit_nano_usd
      RETURNING period.limit_id, period.period_start, amount
    )
    INSERT INTO gateway.budget_leases AS lease (server_id, limit_id, period_start, amount_nano_usd)
    SELECT ${serverId}::uuid, limit_id, period_start, amount FROM counted
    ON CONFLICT (server_id, limit_id, period_start)
    DO UPDATE SET amount_nano_usd = lease.amount_nano_usd + excluded.amount_nano_usd
    RETURNING 1`)
  if (stored.length !== grants.length) throw new Error('A lease would exceed its limit')
}

export interface Return extends Place {
  amountNanoUsd: bigint
}

export const returnLeases = (db: Database, serverId: string, returns: readonly Return[]): Promise<void> =>
  transact(db, async (tx) => {
    const at = places(returns)
    const amounts = sql.param(returns.map(({ amountNanoUsd }) => String(amountNanoUsd)))
    await keepUndeleted(tx, at.limits)
    await tx.execute(sql`
      SELECT 1 FROM gateway.budget_periods
      JOIN unnest(${at.limits}::uuid[], ${at.starts}::text[]::timestamptz[]) AS given (limit_id, period_start)
        USING (limit_id, period_start)
      ORDER BY limit_id, period_start FOR UPDATE OF budget_periods`)
    await tx.execute(sql`
      WITH returned AS (
        UPDATE gateway.budget_leases AS lease SET amount_nano_usd = amount_nano_usd - amount
        FROM unnest(${at.limits}::uuid[], ${at.starts}::text[]::timestamptz[], ${amounts}::text[]::bigint[])
          AS given (limit_id, period_start, amount)
        WHERE lease.server_id = ${serverId} AND lease.limit_id = given.limit_id
          AND lease.period_start = given.period_start
        RETURNING lease.limit_id, lease.period_start, amount
      )
      UPDATE gateway.budget_periods AS period SET leased_nano_usd = leased_nano_usd - amount FROM returned
      WHERE period.limit_id = returned.limit_id AND period.period_start = returned.period_start`)
  })

/** First: the deletion of a limit locks it, its leases and its periods in this order. */
export const keepUndeleted = (tx: Database, limitIds: SQLWrapper) =>
  tx.execute(sql`SELECT 1 FROM gateway.limits WHERE id = ANY(${limitIds}::uuid[]) ORDER BY id FOR KEY SHARE`)

export const places = (all: readonly Place[]) => ({
  limits: sql.param(all.map(({ limitId }) => limitId)),
  starts: sql.param(all.map(({ periodStart }) => periodStart.toISOString())),
})
