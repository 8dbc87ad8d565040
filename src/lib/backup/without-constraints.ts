import type { TransactionSql } from 'postgres'
import { quoteName, type Table } from './manifest.ts'

interface ForeignKey {
  schema: string
  name: string
  constraint: string
  definition: string
}

/** Rows can be loaded in any order and unchanged. Only needs the rights of the tables' owner. */
export async function withoutConstraints(
  sql: TransactionSql,
  tables: Table[],
  load: () => Promise<void>,
): Promise<void> {
  const keys = await foreignKeys(sql, [...new Set(tables.map(({ schema }) => schema))])
  const each = tables.map(({ schema, name }) => quoteName(schema, name))
  for (const key of keys) await sql.unsafe(`ALTER TABLE ${tableOf(key)} DROP CONSTRAINT ${quoteName(key.constraint)}`)
  for (const table of each) await sql.unsafe(`ALTER TABLE ${table} DISABLE TRIGGER USER`)
  await sql.unsafe(`TRUNCATE ${(await withoutAppendOnly(sql, each)).join(', ')}`)
  await load()
  for (const table of each) await sql.unsafe(`ALTER TABLE ${table} ENABLE TRIGGER USER`)
  for (const key of keys)
    await sql.unsafe(`ALTER TABLE ${tableOf(key)} ADD CONSTRAINT ${quoteName(key.constraint)} ${key.definition}`)
}

/** Of append-only tables even the owner has no right to delete rows. Migrations insert none into them. */
async function withoutAppendOnly(sql: TransactionSql, names: readonly string[]): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    SELECT name FROM unnest(${names}::text[]) AS name WHERE has_table_privilege(name, 'TRUNCATE')`
  return rows.map(({ name }) => name)
}

const tableOf = ({ schema, name }: ForeignKey): string => quoteName(schema, name)

/** Definitions with schema-qualified names, since the search path is empty. */
async function foreignKeys(sql: TransactionSql, schemas: string[]): Promise<ForeignKey[]> {
  await sql`SET LOCAL search_path = ''`
  const keys = await sql<ForeignKey[]>`
    SELECT n.nspname AS schema, c.relname AS name, k.conname AS constraint, pg_get_constraintdef(k.oid) AS definition
    FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE k.contype = 'f' AND k.conparentid = 0 AND n.nspname IN ${sql(schemas)}`
  await sql`SET LOCAL search_path TO DEFAULT`
  return [...keys]
}
