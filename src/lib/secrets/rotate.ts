import { and, asc, eq, gt, isNotNull, notLike, sql } from 'drizzle-orm'
import { getTableConfig, type PgColumn } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import type { Database, DatabaseHandle } from '../db.ts'
import { rowIdOf, sealContext } from './sealed.ts'
import type { Secrets } from '../secrets.ts'

export interface RotationResult {
  table: string
  rewrapped: number
  failed: { id: string; reason: string }[]
}

const batchSize = 200

/** Without opening the texts. Servers can run in the meantime, and an interrupted rotation can be continued. */
export async function rotateSecrets(
  database: DatabaseHandle,
  secrets: Secrets,
  columns: readonly PgColumn[],
): Promise<RotationResult[]> {
  const done: RotationResult[] = []
  for (const column of columns) done.push(await rotateColumn(database, secrets, column))
  return done
}

async function rotateColumn(
  { db, transaction }: DatabaseHandle,
  secrets: Secrets,
  column: PgColumn,
): Promise<RotationResult> {
  const rotated: RotationResult = { table: nameOf(column), rewrapped: 0, failed: [] }
  let rows = await nextSealed(db, column, secrets.keyId)
  while (rows.length > 0) {
    const batch = rows
    await transaction((tx) => rewrapAll(tx, secrets, column, batch, rotated))
    rows = await nextSealed(db, column, secrets.keyId, batch.at(-1)?.id)
  }
  return rotated
}

const Sealed = z.object({ id: z.string(), sealed: z.string() })
type Sealed = z.infer<typeof Sealed>

async function nextSealed(db: Database, column: PgColumn, keyId: string, after?: string): Promise<Sealed[]> {
  const id = rowIdOf(column)
  const rows = await db
    .select({ id, sealed: column })
    .from(column.table)
    .where(and(isNotNull(column), notLike(column, `${keyId}.%`), after ? gt(id, after) : undefined))
    .orderBy(asc(id))
    .limit(batchSize)
  return z.array(Sealed).parse(rows)
}

async function rewrapAll(tx: Database, secrets: Secrets, column: PgColumn, rows: Sealed[], rotated: RotationResult) {
  for (const { id, sealed } of rows) {
    const rewrapped = catchError(() => secrets.rewrap(sealed, sealContext(column, id)))
    if (rewrapped instanceof Error) rotated.failed.push({ id, reason: rewrapped.message })
    else rotated.rewrapped += await replace(tx, column, id, sealed, rewrapped)
  }
}

function catchError(act: () => string): string | Error {
  try {
    return act()
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

async function replace(tx: Database, column: PgColumn, id: string, from: string, to: string): Promise<number> {
  const changed = await tx
    .update(column.table)
    .set({ [column.name]: to })
    .where(and(eq(rowIdOf(column), id), eq(column, from)))
    .returning({ id: sql`1` })
  return changed.length
}

function nameOf({ table }: PgColumn): string {
  const { schema, name } = getTableConfig(table)
  return `${schema}.${name}`
}
