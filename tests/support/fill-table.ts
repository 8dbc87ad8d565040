import { getTableConfig, type PgColumn, type PgTable } from 'drizzle-orm/pg-core'
import type postgres from 'postgres'

interface Column {
  name: string
  type: string
  isRequired: boolean
}

/** One row with a value in `column`, and anything in the other columns that need something: its checks are dropped. */
export async function fillTable(
  sql: postgres.Sql,
  table: PgTable,
  { column, value }: { column: PgColumn; value: string },
): Promise<void> {
  const { schema = 'public', name } = getTableConfig(table)
  const own = nameOf(column)
  const rows = await sql<Column[]>`
    SELECT a.attname AS name, format_type(a.atttypid, NULL) AS type, a.attnotnull AND NOT a.atthasdef AS "isRequired"
    FROM pg_attribute a WHERE a.attrelid = ${`${schema}.${name}`}::regclass AND a.attnum > 0 AND NOT a.attisdropped
      AND a.attgenerated = ''`
  const filled = rows.filter((row) => row.name === own || row.isRequired)
  const values = filled.map((row) => (row.name === own ? `'${value}'` : valueOf(row.type)))
  await dropChecks(sql, `${schema}.${name}`)
  await sql.begin(async (tx) => {
    // Without foreign keys and triggers.
    await tx`SET LOCAL session_replication_role = replica`
    const names = filled.map((row) => `"${row.name}"`).join(', ')
    await tx.unsafe(`INSERT INTO ${schema}.${name} (${names}) VALUES (${values.join(', ')})`)
  })
}

async function dropChecks(sql: postgres.Sql, table: string): Promise<void> {
  const checks = await sql<{ name: string }[]>`
    SELECT conname AS name FROM pg_constraint WHERE conrelid = ${table}::regclass AND contype = 'c'`
  for (const { name } of checks) await sql.unsafe(`ALTER TABLE ${table} DROP CONSTRAINT "${name}"`)
}

const nameOf = ({ name }: PgColumn): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

function valueOf(type: string): string {
  if (type === 'uuid') return 'gen_random_uuid()'
  if (type.startsWith('timestamp') || type === 'date') return 'now()'
  if (type === 'jsonb' || type === 'json' || type.endsWith('[]')) return `'{}'`
  if (type === 'boolean') return 'false'
  if (type === 'bytea') return `'\\x00'`
  return type === 'text' || type.startsWith('character') ? `gen_random_uuid()::text` : '1'
}
