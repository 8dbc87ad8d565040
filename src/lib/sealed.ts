import { getTableColumns } from 'drizzle-orm'
import { getTableConfig, type PgColumn } from 'drizzle-orm/pg-core'
import { derivationRoots, mails, webhookEndpoints } from './schema.ts'

/** Sealed columns of `lib`'s own tables. */
export const ownSealed: readonly PgColumn[] = [
  derivationRoots.sealedRoot,
  mails.sealedContent,
  webhookEndpoints.sealedSecret,
  webhookEndpoints.sealedPreviousSecret,
]

/** What a sealed text is bound to: the row that it stands in, so that it can't be moved to another. */
export function sealContext(column: PgColumn, id: string): string {
  const { schema, name } = getTableConfig(column.table)
  return `${schema}.${name}:${id}`
}

/** The key of the rows that a sealed column stands in. @throws for a table without a column `id` */
export function rowIdOf(column: PgColumn): PgColumn {
  const id = getTableColumns(column.table)['id']
  if (!id) throw new Error(`${getTableConfig(column.table).name} has sealed texts and no id`)
  return id
}
