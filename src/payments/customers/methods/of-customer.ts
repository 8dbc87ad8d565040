import { desc, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Database } from '#lib/db.ts'
import type { SavedPaymentMethod } from '../../contract/payment-methods.ts'
import { paymentMethods } from '../../schema.ts'

type MethodRow = typeof paymentMethods.$inferSelect

const maxMethods = 20

/** The default first. Their account isn’t asked: a charge is refused at another one. */
export async function listMethodsOf(db: Database, customerId: string | null, now: Date) {
  if (customerId === null) return []
  const rows = await db
    .select()
    .from(paymentMethods)
    .where(eq(paymentMethods.customerId, customerId))
    .orderBy(desc(paymentMethods.isDefault), desc(paymentMethods.id))
    .limit(maxMethods)
  return rows.map((row) => describeMethod(row, null, now))
}

const soonMs = 60 * 86_400_000

export const describeMethod = (
  row: MethodRow,
  account: string | null,
  now: Date,
): z.input<typeof SavedPaymentMethod> => ({
  ...row,
  expiry: row.expiryMonth === null || row.expiryYear === null ? null : expiryOf(row.expiryYear, row.expiryMonth, now),
  isUsable: account === null ? null : row.accountKey === account,
})

export const expiryOf = (year: number, month: number, now: Date) => ({
  month,
  year,
  state: expiryStateOf(year, month, now),
})

/** A card can be used until the end of its month. */
function expiryStateOf(year: number, month: number, now: Date): 'valid' | 'soon' | 'expired' {
  const endsAt = Date.UTC(year, month)
  if (endsAt <= now.getTime()) return 'expired'
  return endsAt - now.getTime() < soonMs ? 'soon' : 'valid'
}
