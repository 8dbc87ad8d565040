import { getTableColumns, sql } from 'drizzle-orm'
import type { TransactionSql } from 'postgres'
import type { Database } from '#lib/db.ts'
import type { Tenant, TenantData } from '#lib/tenant-data.ts'

const batch = 500

/** Through a cursor of the transaction. */
export async function* jsonRows(
  db: Database,
  snapshot: TransactionSql,
  { table, rows, export: fields, organizationOnly }: TenantData,
  tenant: Tenant,
  id: string,
): AsyncGenerator<string> {
  if ('never' in fields || !rows[tenant]) return
  const columns = getTableColumns(table)
  const hidden = tenant === 'person' ? organizationOnly : undefined
  const pairs = fields.flatMap((field) => [
    sql.raw(`'${field}'`),
    hidden?.fields.includes(field)
      ? sql`CASE WHEN ${hidden.organization} IS NULL THEN ${columns[field]} END`
      : sql`${columns[field]}`,
  ])
  const row = sql<string>`json_build_object(${sql.join(pairs, sql`, `)})::text`
  const query = db.select({ row }).from(table).where(rows[tenant](id)).toSQL()
  let before = '[\n'
  const cursor = snapshot.unsafe<{ row: string }[]>(query.sql, query.params.map(String)).cursor(batch)
  for await (const found of cursor) {
    yield before + found.map((each) => Object.values(each)[0]).join(',\n')
    before = ',\n'
  }
  yield before === '[\n' ? '[]\n' : '\n]\n'
}
