import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { z } from 'zod'
import { executePrepared, type Database } from '#lib/db.ts'
import { invalid } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import { merchants, venues } from '../schema.ts'

export const defaultMerchantName = 'Main'
const defaultPrefix = 'INV'

export interface Named {
  id: string
  name: string
}

/** The organization’s default merchant, made when there is none. */
export async function ensureDefaultMerchant(db: Database, organizationId: string): Promise<Named> {
  const known = await findDefault(db, organizationId)
  if (known) return known
  await db
    .insert(merchants)
    .values({ id: newId(), organizationId, name: defaultMerchantName, invoicePrefix: defaultPrefix, isDefault: true })
    .onConflictDoNothing()
  const made = await findDefault(db, organizationId)
  if (made) return made
  const [named] = await db
    .update(merchants)
    .set({ isDefault: true })
    .where(and(eq(merchants.organizationId, organizationId), eq(merchants.name, defaultMerchantName)))
    .returning({ id: merchants.id, name: merchants.name })
  if (!named) throw new Error('The organization has no default merchant')
  return named
}

const Found = z.array(z.object({ id: z.string(), name: z.string() })).max(1)

/** Prepared, as every new order needs it. */
async function findDefault(db: Database, organizationId: string): Promise<Named | undefined> {
  const rows = await executePrepared(
    db,
    sql`SELECT id, name FROM payments.merchants WHERE organization_id = ${organizationId} AND is_default`,
  )
  return Found.parse(rows)[0]
}

interface Wanted {
  merchantId?: string | undefined
  venueId?: string | undefined
}

/** @throws {Problem} 422 for a merchant or venue that the organization doesn’t have, or that is archived */
export async function resolvePlace(
  db: Database,
  organizationId: string,
  { merchantId, venueId }: Wanted,
): Promise<{ merchant: Named; venue: Named | null }> {
  if (venueId !== undefined) {
    const [found] = await db
      .select({
        merchant: { id: merchants.id, name: merchants.name },
        venue: { id: venues.id, name: venues.name },
        isArchived: isNotNull(venues.archivedAt),
        isMerchantArchived: isNotNull(merchants.archivedAt),
      })
      .from(venues)
      .innerJoin(merchants, eq(merchants.id, venues.merchantId))
      .where(and(eq(venues.id, venueId), eq(venues.organizationId, organizationId)))
    if (!found || (merchantId !== undefined && merchantId !== found.merchant.id)) throw unknown('venueId', 'venue')
    if (found.isArchived) throw archived('venueId', 'venue')
    if (found.isMerchantArchived) throw archived('venueId', 'venue’s merchant')
    return found
  }
  if (merchantId === undefined) return { merchant: await ensureDefaultMerchant(db, organizationId), venue: null }
  const [merchant] = await db
    .select({ id: merchants.id, name: merchants.name, archivedAt: merchants.archivedAt })
    .from(merchants)
    .where(and(eq(merchants.id, merchantId), eq(merchants.organizationId, organizationId)))
  if (!merchant) throw unknown('merchantId', 'merchant')
  if (merchant.archivedAt) throw archived('merchantId', 'merchant')
  return { merchant, venue: null }
}

const unknown = (path: string, what: string) => invalid([{ path, message: `This ${what} doesn’t exist.` }])

const archived = (path: string, what: string) =>
  invalid([{ path, message: `This ${what} is archived. Restore it, or choose another one.` }])
