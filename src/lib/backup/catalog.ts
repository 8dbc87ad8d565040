import type { TransactionSql } from 'postgres'
import type { Manifest } from './manifest.ts'

export async function readCatalog(
  sql: TransactionSql,
  schemas: string[],
): Promise<Pick<Manifest, 'tables' | 'partitions'>> {
  const tables = await sql<Manifest['tables']>`
    SELECT n.nspname AS schema, c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
    WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND n.nspname IN ${sql(schemas)}
    GROUP BY 1, 2 ORDER BY 1, 2`
  const partitions = await sql<Manifest['partitions']>`
    SELECT n.nspname AS schema, c.relname AS name, p.relname AS parent, pg_get_expr(c.relpartbound, c.oid) AS bound
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_inherits i ON i.inhrelid = c.oid JOIN pg_class p ON p.oid = i.inhparent
    WHERE c.relispartition AND c.relkind IN ('r', 'p') AND n.nspname IN ${sql(schemas)} ORDER BY c.oid`
  return { tables: [...tables], partitions: [...partitions] }
}

export async function readSequences(sql: TransactionSql, schemas: string[]): Promise<Manifest['sequences']> {
  const rows = await sql<Manifest['sequences']>`
    SELECT n.nspname AS schema, c.relname AS name, coalesce(s.last_value, s.start_value)::text AS "lastValue",
      s.last_value IS NOT NULL AS "isCalled"
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_sequences s ON s.schemaname = n.nspname AND s.sequencename = c.relname
    WHERE c.relkind = 'S' AND n.nspname IN ${sql(schemas)} ORDER BY 1, 2`
  return [...rows]
}

export async function presentSchemas(sql: TransactionSql, schemas: string[]): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    SELECT nspname AS name FROM pg_namespace WHERE nspname IN ${sql(schemas)}`
  return rows.map(({ name }) => name)
}
