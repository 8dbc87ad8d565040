import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { notFound } from '#lib/errors.ts'
import { ledgerHeads, merchants, venues } from '../schema.ts'

/** @throws {Problem} 404 unless the organization has it */
export async function requireMerchant(db: Database, organizationId: string, merchantId: string): Promise<void> {
  const found = await db
    .select({ id: merchants.id })
    .from(merchants)
    .where(and(eq(merchants.id, merchantId), eq(merchants.organizationId, organizationId)))
  if (found.length === 0) throw notFound('merchant')
}

/** @throws {Problem} 404 unless the merchant has it */
export async function requireVenue(db: Database, merchantId: string, venueId: string): Promise<void> {
  const found = await db
    .select({ id: venues.id })
    .from(venues)
    .where(and(eq(venues.id, venueId), eq(venues.merchantId, merchantId)))
  if (found.length === 0) throw notFound('venue')
}

/** The ends of the chains. @throws {Problem} 404 for a merchant of another organization */
export async function listChains(db: Database, organizationId: string, merchantId?: string) {
  if (merchantId !== undefined) await requireMerchant(db, organizationId, merchantId)
  return db
    .select({ merchantId: ledgerHeads.merchantId, sequence: ledgerHeads.sequence })
    .from(ledgerHeads)
    .where(
      and(
        eq(ledgerHeads.organizationId, organizationId),
        merchantId === undefined ? undefined : eq(ledgerHeads.merchantId, merchantId),
      ),
    )
    .orderBy(asc(ledgerHeads.merchantId))
}

export async function readMerchantNames(db: Database, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .select({ id: merchants.id, name: merchants.name })
    .from(merchants)
    .where(inArray(merchants.id, [...new Set(ids)]))
  return new Map(rows.map(({ id, name }) => [id, name]))
}
