import { eq } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Database } from '#lib/db.ts'
import type { OrderFilterOptions } from '../contract/orders.ts'
import { listPlaces } from '../places.ts'
import { orders } from '../schema.ts'
import { listUsedCurrencies } from '../used-currencies.ts'

export async function listFilterOptions(db: Database, actor: Actor): Promise<OrderFilterOptions> {
  const organizationId = organizationOf(actor, 'payments:read')
  const [currencies, places] = await Promise.all([
    listUsedCurrencies(db, orders, eq(orders.organizationId, organizationId)),
    listPlaces(db, organizationId),
  ])
  return { currencies, ...places }
}
