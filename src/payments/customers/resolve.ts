import { and, eq } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { invalid } from '#lib/errors.ts'
import { customers } from '../schema.ts'

interface Buyer {
  customerId: string | null
  customerEmail: string | null
  customerName: string | null
}

interface Wanted {
  customerId?: string | undefined
  customer?: { email?: string | undefined; name?: string | undefined } | undefined
}

/**
 * Whose a new order is; the row is locked against a concurrent erasure. @throws {Problem} 422 for a customer that the
 * organization doesn’t have, or that is archived
 */
export async function resolveBuyer(
  tx: Database,
  organizationId: string,
  { customerId, customer }: Wanted,
): Promise<Buyer> {
  const { email = null, name = null } = customer ?? {}
  if (customerId === undefined) return { customerId: null, customerEmail: email, customerName: name }
  const [found] = await tx
    .select({ id: customers.id, email: customers.email, name: customers.name, archivedAt: customers.archivedAt })
    .from(customers)
    .where(and(eq(customers.id, customerId), eq(customers.organizationId, organizationId)))
    .for('share')
  if (!found) throw invalid([{ path: 'customerId', message: 'This customer doesn’t exist.' }])
  if (found.archivedAt)
    throw invalid([{ path: 'customerId', message: 'This customer is archived. Restore it, or choose another one.' }])
  return { customerId: found.id, customerEmail: email ?? found.email, customerName: name ?? found.name }
}
