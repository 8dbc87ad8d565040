import { getTableColumns } from 'drizzle-orm'
import { getTableConfig, type PgColumn } from 'drizzle-orm/pg-core'
import { derivationRoots, mails, webhookEndpoints } from '../schema.ts'

export const ownSealed: readonly PgColumn[] = [
  derivationRoots.sealedRoot,
  mails.sealedContent,
  webhookEndpoints.sealedSecret,
  webhookEndpoints.sealedPreviousSecret,
]

/** Binds a sealed text to its row, so that it can't be moved to another. */
export function sealContext(column: PgColumn, id: string): string {
  const { schema, name } = getTableConfig(column.table)
  return `${schema}.${name}:${id}`
}

/** The primary key of a sealed column's table. @throws for a table without a column `id` */
export function rowIdOf(column: PgColumn): PgColumn {
  const id = getTableColumns(column.table)['id']
  if (!id) throw new Error(`${getTableConfig(column.table).name} has encrypted columns but no id`)
  return id
}
