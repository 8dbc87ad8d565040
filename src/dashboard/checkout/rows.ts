import { eq } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { notFound } from '#lib/errors.ts'
import { checkouts } from '../schema.ts'

export type CheckoutRow = typeof checkouts.$inferSelect

/** @throws {Problem} 404 */
export async function findCheckout(db: Database, id: string): Promise<CheckoutRow> {
  const [row] = await db.select().from(checkouts).where(eq(checkouts.id, id))
  if (!row) throw notFound('checkout')
  return row
}
