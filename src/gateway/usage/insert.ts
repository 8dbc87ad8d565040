import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import type { Certainty, Family } from '../contract/families.ts'
import { dayOf, ensurePartitions } from './partitions.ts'

export interface UsageRow {
  /** UUID v7. */
  id: string
  organizationId: string
  /** Unique in the organization, whatever the day. */
  requestId: string
  applicationId: string | null
  apiKeyId: string | null
  userId: string | null
  family: Family
  provider: string
  model: string | null
  /** Such as `token` or `request`. */
  unit: string
  quantity: number
  costNanoUsd: bigint
  certainty: Certainty
  /** The date from which the applied price is valid. */
  priceDate: string | null
  occurredAt: Date
  /** At most 16 keys and 1 KiB. */
  metadata: Record<string, unknown>
  details?: UsageDetails
  /** Hexadecimal, of what the reporter sent; by default of the row's own fields. */
  payloadDigest?: string
}

/** Telemetry of a provider call. */
export interface UsageDetails {
  inputTokens?: number
  outputTokens?: number
  cachedTokens?: number
  latencyMs?: number
  firstByteMs?: number
  status?: number
  errorCode?: string | null
  fallbacks?: number
  streamed?: boolean
}

/** The given rows by what became of them. */
export interface Inserted {
  inserted: UsageRow[]
  /** Already stored, or repeated among the given rows. */
  duplicates: UsageRow[]
  /** Stored with another payload. */
  conflicts: UsageRow[]
}

/**
 * Dedupe key, raw row and daily total of each new row, in one statement. Call it once per transaction, before locking
 * other rows: it takes its locks in sorted order.
 */
export async function insertUsage(tx: Database, rows: readonly UsageRow[]): Promise<Inserted> {
  const result: Inserted = { inserted: [], duplicates: [], conflicts: [] }
  if (rows.length === 0) return result
  const first = new Map<string, UsageRow>()
  const repeated: UsageRow[] = []
  for (const row of rows) {
    const key = keyOf(row)
    if (first.has(key)) repeated.push(row)
    else first.set(key, row)
  }
  await ensurePartitions(
    tx,
    rows.map(({ occurredAt }) => dayOf(occurredAt)),
  )
  const candidates = [...first.values()]
  const isNew = await insertNew(tx, candidates)
  const known: UsageRow[] = []
  candidates.forEach((row, at) => (isNew.has(at) ? result.inserted : known).push(row))
  const digests = new Map(result.inserted.map((row) => [keyOf(row), digestOf(row)]))
  if (known.length > 0) await readDigests(tx, known, digests)
  for (const row of [...known, ...repeated])
    (digests.get(keyOf(row)) === digestOf(row) ? result.duplicates : result.conflicts).push(row)
  return result
}

const keyOf = ({ organizationId, requestId }: UsageRow): string => `${organizationId.toLowerCase()} ${requestId}`

/** Without who reported it and how its cost is known, which a retry can change. */
export const digestOf = (row: UsageRow): string =>
  row.payloadDigest ??
  digestPayload([
    row.applicationId,
    row.userId,
    row.family,
    row.provider,
    row.model,
    row.unit,
    row.quantity,
    String(row.costNanoUsd),
    row.occurredAt,
    row.metadata,
  ])

/** 128 bits of SHA-256, in hexadecimal. */
export const digestPayload = (payload: unknown): string =>
  createHash('sha256').update(JSON.stringify(payload)).digest('hex').slice(0, 32)

/** The positions of those that were new. */
async function insertNew(tx: Database, rows: readonly UsageRow[]): Promise<Set<number>> {
  const [found] = await tx.execute<{ positions: number[] | null }>(sql`
    WITH given AS MATERIALIZED (
      SELECT * FROM json_to_recordset(${JSON.stringify(rows.map(toJson))}::json) AS given (
        n int, id uuid, o uuid, r text, d bytea, a text, k uuid, u text, f text, p text, m text, unit text, q numeric,
        c bigint, s text, pd date, t timestamptz, md jsonb, it int, ot int, ct int, l int, fb int, st int, e text, fa int,
        sd boolean)
    ), fresh AS (
      INSERT INTO gateway.usage_dedupe (organization_id, request_id, payload_digest, occurred_at)
      SELECT o, r, d, t FROM given ORDER BY o, r COLLATE "C"
      ON CONFLICT (organization_id, request_id) DO NOTHING RETURNING organization_id, request_id
    ), stored AS MATERIALIZED (
      SELECT given.* FROM given JOIN fresh ON organization_id = o AND request_id = r COLLATE "C"
    ), raw AS (
      INSERT INTO gateway.usage_logs (
        id, organization_id, request_id, application_id, api_key_id, user_id, family, provider, model, unit, quantity,
        cost_nano_usd, certainty, price_date, occurred_at, metadata, input_tokens, output_tokens, cached_tokens,
        latency_ms, first_byte_ms, status, error_code, fallbacks, streamed)
      SELECT id, o, r, a, k, u, f, p, m, unit, q, c, s, pd, t, md, it, ot, ct, l, fb, st, e, fa, sd FROM stored
    ), daily AS (
      INSERT INTO gateway.usage_daily AS daily (
        organization_id, day, application_id, api_key_id, user_id, family, provider, model, unit, count, quantity,
        cost_nano_usd)
      SELECT o, (t AT TIME ZONE 'UTC')::date, a, k, u, f, p, m, unit, count(*), sum(q), sum(c) FROM stored
      GROUP BY o, 2, a, k, u, f, p, m, unit ORDER BY o, 2, a, k, u, f, p, m, unit
      ON CONFLICT (organization_id, day, family, provider, model, unit, application_id, api_key_id, user_id)
      DO UPDATE SET count = daily.count + excluded.count, quantity = daily.quantity + excluded.quantity,
        cost_nano_usd = daily.cost_nano_usd + excluded.cost_nano_usd
    )
    SELECT array_agg(n) AS positions FROM stored`)
  return new Set(found?.positions)
}

const toJson = (row: UsageRow, n: number) => ({
  n,
  id: row.id,
  o: row.organizationId,
  r: row.requestId,
  d: `\\x${digestOf(row)}`,
  a: row.applicationId,
  k: row.apiKeyId,
  u: row.userId,
  f: row.family,
  p: row.provider,
  m: row.model,
  unit: row.unit,
  q: row.quantity,
  c: String(row.costNanoUsd),
  s: row.certainty,
  pd: row.priceDate,
  t: row.occurredAt,
  md: isEmpty(row.metadata) ? null : row.metadata,
  ...(row.details && detailsToJson(row.details)),
})

const detailsToJson = (details: UsageDetails) => ({
  it: details.inputTokens,
  ot: details.outputTokens,
  ct: details.cachedTokens,
  l: details.latencyMs,
  fb: details.firstByteMs,
  st: details.status,
  e: details.errorCode,
  fa: details.fallbacks,
  sd: details.streamed,
})

function isEmpty(metadata: Record<string, unknown>): boolean {
  for (const name in metadata) if (Object.hasOwn(metadata, name)) return false
  return true
}

async function readDigests(tx: Database, rows: readonly UsageRow[], digests: Map<string, string>): Promise<void> {
  const keys = JSON.stringify(rows.map(({ organizationId, requestId }) => ({ o: organizationId, r: requestId })))
  const found = await tx.execute<{ organization: string; request: string; digest: string }>(sql`
    SELECT organization_id AS organization, request_id AS request, encode(payload_digest, 'hex') AS digest
    FROM json_to_recordset(${keys}::json) AS given (o uuid, r text)
    JOIN gateway.usage_dedupe ON organization_id = o AND request_id = r COLLATE "C"`)
  for (const { organization, request, digest } of found) digests.set(`${organization} ${request}`, digest)
}
