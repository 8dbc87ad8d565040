import { sql } from 'drizzle-orm'
import { index, integer, jsonb, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { payments, time } from './base.ts'

/** What the balance was before the oldest movement that is read. */
interface MovementOpening {
  /** The newest movement of the balance that was read: newer ones aren’t in it. Null once it was found. */
  head: string | null
  /** In the provider’s units by currency: the balance without the movements that were read. */
  left: Record<string, number>
}

/** A reading of the provider’s balance that goes on at a cursor. */
export interface MovementSearch {
  /** Null before the first page. */
  cursor: string | null
  /** Of the newest movement that it found, and of the oldest that it reads: ISO times. */
  newest: string
  from: string
  /** Only of the first reading. */
  opening?: MovementOpening
}

/** How far the balance of an organization’s own account at the provider was read. */
export const movementAccounts = payments.table(
  'movement_accounts',
  {
    organizationId: uuid().notNull(),
    account: text().notNull(),
    /** Older movements were read; null before the first reading has ended. */
    readUntil: time(),
    search: jsonb().$type<MovementSearch>(),
    /** When its opening balance was booked. */
    openedAt: time(),
  },
  (table) => [primaryKey({ columns: [table.organizationId, table.account] })],
)

/** Movements that a payment or payout has to book, and hasn’t yet. */
export const openMovements = payments.table(
  'open_movements',
  {
    organizationId: uuid().notNull(),
    account: text().notNull(),
    /** Of the provider’s balance transaction. */
    transactionId: text().notNull(),
    checks: integer().notNull().default(0),
    dueAt: time()
      .notNull()
      .default(sql`now()`),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.account, table.transactionId] }),
    index('open_movements_due').on(table.dueAt),
  ],
)
