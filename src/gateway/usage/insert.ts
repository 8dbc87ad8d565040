import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { executePrepared, type Database } from '#lib/db.ts'
import type { Certainty, Family, Payer } from '../contract/families.ts'
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
  paidBy: Payer
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
interface UsageDetails {
  inputTokens?: number
  outputTokens?: number
  cachedTokens?: number
  /** Other kinds that have a price of their own, by their name in TokenUsage. */
  otherUnits?: Readonly<Record<string, number>>
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
  candidates.forEach((row, at) => (isNew.has(at + 1) ? result.inserted : known).push(row))
  if (known.length === 0 && repeated.length === 0) return result
  const digests = new Map(result.inserted.map((row) => [keyOf(row), digestOf(row)]))
  if (known.length > 0) await readDigests(tx, known, digests)
  for (const row of [...known, ...repeated])
    (digests.get(keyOf(row)) === digestOf(row) ? result.duplicates : result.conflicts).push(row)
  return result
}

const keyOf = ({ organizationId, requestId }: UsageRow): string => `${organizationId.toLowerCase()} ${requestId}`

/** Without who reported it and how its cost is known, which a retry can change. */
const digestOf = (row: UsageRow): string =>
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

type Column = readonly [
  name: string,
  type: string,
  valueOf: (row: UsageRow) => string | number | boolean | null | undefined,
]

const columns: readonly Column[] = [
  ['id', 'uuid', (row) => row.id],
  ['organization_id', 'uuid', (row) => row.organizationId],
  ['request_id', 'text', (row) => quote(row.requestId)],
  ['payload_digest', 'bytea', (row) => `"\\\\x${digestOf(row)}"`],
  ['application_id', 'text', (row) => quote(row.applicationId)],
  ['api_key_id', 'uuid', (row) => row.apiKeyId],
  ['user_id', 'text', (row) => quote(row.userId)],
  ['family', 'text', (row) => row.family],
  ['provider', 'text', (row) => quote(row.provider)],
  ['model', 'text', (row) => quote(row.model)],
  ['unit', 'text', (row) => quote(row.unit)],
  ['quantity', 'numeric', (row) => row.quantity],
  ['cost_nano_usd', 'bigint', (row) => String(row.costNanoUsd)],
  ['certainty', 'text', (row) => row.certainty],
  ['paid_by', 'text', (row) => row.paidBy],
  ['price_date', 'date', (row) => row.priceDate],
  ['occurred_at', 'timestamptz', (row) => row.occurredAt.toISOString()],
  ['metadata', 'jsonb', (row) => (isEmpty(row.metadata) ? null : quote(JSON.stringify(row.metadata)))],
]

const detailColumns: readonly Column[] = [
  ['input_tokens', 'int', ({ details }) => details?.inputTokens],
  ['output_tokens', 'int', ({ details }) => details?.outputTokens],
  ['cached_tokens', 'int', ({ details }) => details?.cachedTokens],
  ['other_units', 'jsonb', ({ details }) => details?.otherUnits && quote(JSON.stringify(details.otherUnits))],
  ['latency_ms', 'int', ({ details }) => details?.latencyMs],
  ['first_byte_ms', 'int', ({ details }) => details?.firstByteMs],
  ['status', 'int', ({ details }) => details?.status],
  ['error_code', 'text', ({ details }) => quote(details?.errorCode)],
  ['fallbacks', 'int', ({ details }) => details?.fallbacks],
  ['streamed', 'boolean', ({ details }) => details?.streamed],
]

/** As an element of PostgreSQL's array literals. */
const quote = (text: string | null | undefined): string | null =>
  text === null || text === undefined
    ? null
    : `"${/["\\]/.test(text) ? text.replaceAll(/["\\]/g, String.raw`\$&`) : text}"`

const arrayOf = (rows: readonly UsageRow[], valueOf: Column[2]): string => {
  let text = '{'
  for (const row of rows) text += `${text.length > 1 ? ',' : ''}${valueOf(row) ?? 'NULL'}`
  return `${text}}`
}

const rawColumns = sql.raw(
  [...columns, ...detailColumns].flatMap(([name]) => (name === 'payload_digest' ? [] : [name])).join(', '),
)
const keyColumns = sql.raw(
  'organization_id, day, family, provider, model, unit, application_id, api_key_id, user_id, paid_by',
)

/** The positions of those that were new, from 1. Arrays take half the time of JSON. */
async function insertNew(tx: Database, rows: readonly UsageRow[]): Promise<Set<number>> {
  const hasDetails = rows.some(({ details }) => details)
  const given = hasDetails ? [...columns, ...detailColumns] : columns
  const arrays = given.map(([, type, valueOf]) => sql`${arrayOf(rows, valueOf)}::${sql.raw(type)}[]`)
  const names = sql.raw(given.map(([name]) => name).join(', '))
  const details = detailColumns.map(([name, type]) => sql.raw(hasDetails ? name : `NULL::${type} AS ${name}`))
  const [found] = await executePrepared<{ positions: number[] | null }>(
    tx,
    sql`
    WITH given AS MATERIALIZED (
      SELECT * FROM unnest(${sql.join(arrays, sql`, `)}) WITH ORDINALITY AS given (${names}, position)
    ), fresh AS (
      INSERT INTO gateway.usage_dedupe (organization_id, request_id, payload_digest, occurred_at)
      SELECT organization_id, request_id, payload_digest, occurred_at FROM given
      ORDER BY organization_id, request_id COLLATE "C"
      ON CONFLICT (organization_id, request_id) DO NOTHING RETURNING organization_id, request_id
    ), stored AS MATERIALIZED (
      SELECT given.* FROM given JOIN fresh
      ON fresh.organization_id = given.organization_id AND fresh.request_id = given.request_id COLLATE "C"
    ), raw AS (
      INSERT INTO gateway.usage_logs (${rawColumns})
      SELECT ${sql.raw(columns.flatMap(([name]) => (name === 'payload_digest' ? [] : [name])).join(', '))},
        ${sql.join(details, sql`, `)} FROM stored
    ), daily AS (
      INSERT INTO gateway.usage_daily AS daily (${keyColumns}, count, quantity, cost_nano_usd)
      SELECT organization_id, (occurred_at AT TIME ZONE 'UTC')::date AS day, family, provider, model, unit,
        application_id, api_key_id, user_id, paid_by, count(*), sum(quantity), sum(cost_nano_usd) FROM stored
      GROUP BY ${keyColumns} ORDER BY ${keyColumns}
      ON CONFLICT (${keyColumns}) DO UPDATE SET count = daily.count + excluded.count,
        quantity = daily.quantity + excluded.quantity, cost_nano_usd = daily.cost_nano_usd + excluded.cost_nano_usd
    )
    SELECT array_agg(position::int) AS positions FROM stored`,
  )
  return new Set(found?.positions)
}

/** The IDs of those that are stored. */
export async function findStored(tx: Database, rows: readonly UsageRow[]): Promise<Set<string>> {
  const given = JSON.stringify(
    rows.map(({ organizationId, occurredAt, id }) => ({ o: organizationId, t: occurredAt, i: id })),
  )
  const found = await tx.execute<{ id: string }>(sql`
    SELECT id FROM json_to_recordset(${given}::json) AS given (o uuid, t timestamptz, i uuid)
    JOIN gateway.usage_logs ON organization_id = o AND occurred_at = t AND id = i`)
  return new Set(found.map(({ id }) => id))
}

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
