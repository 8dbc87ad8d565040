import { and, desc, eq, isNull } from 'drizzle-orm'
import type { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Database } from '#lib/db.ts'
import { notFound } from '#lib/errors.ts'
import type { CustomerChoiceFilter, CustomerChoiceList } from '../contract/customer-activity.ts'
import { customers } from '../schema.ts'
import { conditionOf } from './list.ts'

const maxChoices = 8

/** For an order: the one that is chosen, then those that match, or the newest. @throws {Problem} 404 */
export async function listChoices(
  db: Database,
  actor: Actor,
  { q, customerId }: z.output<typeof CustomerChoiceFilter>,
): Promise<z.input<typeof CustomerChoiceList>> {
  const organizationId = organizationOf(actor, 'customers:read')
  const { id, name, email, archivedAt } = customers
  const rows = (where: Parameters<typeof and>[0], limit: number) =>
    db
      .select({ id, name, email, archivedAt })
      .from(customers)
      .where(and(eq(customers.organizationId, organizationId), where))
      .orderBy(desc(id))
      .limit(limit)
  const [wanted, found] = await Promise.all([
    customerId === undefined ? [] : rows(eq(id, customerId), 1),
    rows(and(isNull(archivedAt), conditionOf(db, organizationId, { q })), maxChoices),
  ])
  if (customerId !== undefined && wanted.length === 0) throw notFound('customer')
  const chosen = wanted.filter((each) => each.archivedAt === null)
  const others = found.filter((each) => each.id !== chosen[0]?.id)
  return { items: [...chosen, ...others].slice(0, maxChoices), chosenId: chosen[0]?.id ?? null }
}
