import { sql, type SQLWrapper } from 'drizzle-orm'
import { check, integer, text, uuid } from 'drizzle-orm/pg-core'
import { amount } from './base.ts'

/** Of a line of an order or invoice, without what it belongs to. */
export const lineColumns = () => ({
  organizationId: uuid().notNull(),
  position: integer().notNull(),
  name: text().notNull(),
  quantity: integer().notNull(),
  unitAmount: amount().notNull(),
  /** Of this line, of its own and of the order’s or invoice’s discount. */
  discount: amount().notNull(),
  /** Millionths: 70000 are 7 %. */
  taxRate: integer().notNull(),
  tax: amount().notNull(),
  total: amount().notNull(),
})

type LineTable = Record<'quantity' | 'unitAmount' | 'discount' | 'taxRate' | 'tax' | 'total', SQLWrapper>

export const lineChecks = (name: string, table: LineTable) => [
  check(`${name}_quantity`, sql`${table.quantity} > 0`),
  check(`${name}_amounts`, sql`${table.unitAmount} >= 0 AND ${table.discount} >= 0 AND ${table.total} >= 0`),
  check(`${name}_tax`, sql`${table.taxRate} BETWEEN 0 AND 1000000 AND ${table.tax} >= 0`),
]
