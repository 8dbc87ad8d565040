import { asc, desc, eq } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Database } from '#lib/db.ts'
import type { OrderFilterOptions } from '../contract/orders.ts'
import { merchants, orders, venues } from '../schema.ts'

const latestOrders = 1_000
const maxPlaces = 200

export async function listFilterOptions(db: Database, actor: Actor): Promise<OrderFilterOptions> {
  const organizationId = organizationOf(actor, 'payments:read')
  const latest = db
    .select({ currency: orders.currency })
    .from(orders)
    .where(eq(orders.organizationId, organizationId))
    .orderBy(desc(orders.id))
    .limit(latestOrders)
    .as('latest')
  const [used, sellers, places] = await Promise.all([
    db.selectDistinct({ currency: latest.currency }).from(latest).orderBy(asc(latest.currency)),
    db
      .select({ id: merchants.id, name: merchants.name })
      .from(merchants)
      .where(eq(merchants.organizationId, organizationId))
      .orderBy(asc(merchants.name))
      .limit(maxPlaces),
    db
      .select({ id: venues.id, name: venues.name, merchantId: venues.merchantId })
      .from(venues)
      .where(eq(venues.organizationId, organizationId))
      .orderBy(asc(venues.name))
      .limit(maxPlaces),
  ])
  return { currencies: used.map(({ currency }) => currency), merchants: sellers, venues: places }
}
