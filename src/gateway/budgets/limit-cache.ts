import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { executePrepared, type Database } from '#lib/db.ts'
import { Family, LimitMode, Period, ScopeType, type Payer } from '../contract/families.ts'
import { applies, scopeKey, scopesOf, type Limit } from './limit.ts'

/** The limits that count a request, and the version of all limits under which that is so. */
export interface KnownLimits {
  limits: readonly Limit[]
  version: number
}

interface FoundLimits extends KnownLimits {
  hard: readonly Limit[]
  soft: readonly Limit[]
}

type Facts = Parameters<typeof scopesOf>[0] & { family: Family; paidBy: Payer }

const maxScopes = 20_000

/** Stale at most until the journal refuses holds of another version: while a limit changes, all go through it first. */
export class LimitCache {
  readonly #db: Database
  readonly #scopes = new Map<string, readonly Limit[]>()
  readonly #found = new Map<string, FoundLimits>()
  #version = 0

  constructor(db: Database) {
    this.#db = db
  }

  /** Null unless all scopes of the request are known. */
  find(facts: Facts): FoundLimits | null {
    const { organizationId, applicationId, apiKeyId, family, paidBy } = facts
    const key = `${organizationId} ${apiKeyId} ${family} ${paidBy} ${applicationId}`
    const known = this.#found.get(key) ?? this.#findIn(facts)
    if (known === null) return null
    if (this.#found.size >= maxScopes) this.#found.clear()
    this.#found.set(key, known)
    return known
  }

  #findIn(facts: Facts): FoundLimits | null {
    const limits: Limit[] = []
    for (const scope of scopesOf(facts)) {
      const known = this.#scopes.get(scopeKey(scope))
      if (!known) return null
      for (const limit of known) if (applies(limit, facts)) limits.push(limit)
    }
    const byMode = (wanted: Limit['mode']) => limits.filter(({ mode }) => mode === wanted)
    return { limits, version: this.#version, hard: byMode('hard'), soft: byMode('soft') }
  }

  async load(facts: Facts): Promise<KnownLimits> {
    const scopes = scopesOf(facts)
    const { version, limits } = await readLimits(this.#db, scopes)
    this.expect(version)
    if (version === this.#version) {
      if (this.#scopes.size + scopes.length > maxScopes) this.clear()
      for (const scope of scopes)
        this.#scopes.set(
          scopeKey(scope),
          limits.filter(({ scopeType: type, scopeValue: value }) => type === scope.type && value === scope.value),
        )
      this.#found.clear()
    }
    return { version, limits: limits.filter((limit) => applies(limit, facts)) }
  }

  /** Forgets those of older versions. */
  expect(version: number): void {
    if (version > this.#version) this.clear(version)
  }

  clear(version = this.#version): void {
    this.#scopes.clear()
    this.#found.clear()
    this.#version = Math.max(version, this.#version)
  }
}

const LimitRow = z.object({
  id: z.string(),
  organizationId: z.string().nullable(),
  scopeType: ScopeType,
  scopeValue: z.string(),
  family: Family.nullable(),
  period: Period,
  mode: LimitMode,
  limitNanoUsd: z.coerce.bigint(),
  timeZone: z.string(),
  countsFrom: z.coerce.date(),
})
const VersionRow = z.object({ version: z.coerce.number() })

const columns = sql`limits.id, organization_id AS "organizationId", scope_type AS "scopeType",
  scope_value AS "scopeValue", family, period, mode, limit_nano_usd AS "limitNanoUsd", time_zone AS "timeZone",
  counts_from AS "countsFrom"`

type Scopes = readonly { type: Limit['scopeType']; value: string }[]

const among = (scopes: Scopes) => sql`(scope_type, scope_value) IN (
  SELECT * FROM unnest(${sql.param(scopes.map(({ type }) => type))}::text[],
    ${sql.param(scopes.map(({ value }) => value))}::text[]))`

/** In one statement, so the version is that of the limits. */
async function readLimits(db: Database, scopes: Scopes): Promise<KnownLimits> {
  const rows = await db.execute(sql`
    SELECT version, ${columns} FROM gateway.limits_version LEFT JOIN gateway.limits ON ${among(scopes)}
    WHERE limits_version.id = 1`)
  return {
    version: VersionRow.parse(rows[0]).version,
    limits: rows.filter(({ id }) => id !== null).map((row) => LimitRow.parse(row)),
  }
}

/** Keeps them from being deleted until the transaction ends. */
export async function selectLimits(tx: Database, scopes: Scopes): Promise<Limit[]> {
  const rows = await executePrepared(
    tx,
    sql`
    SELECT ${columns} FROM gateway.limits WHERE ${among(scopes)} ORDER BY limits.id FOR KEY SHARE OF limits`,
  )
  return rows.map((row) => LimitRow.parse(row))
}
