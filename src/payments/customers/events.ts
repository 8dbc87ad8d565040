import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import { Id } from '#lib/ids.ts'
import { emitWebhook, type EmitDependencies } from '#lib/outgoing-webhooks/emit.ts'
import { webhookEvent } from '#lib/outgoing-webhooks/event.ts'
import type { CustomerRow } from './describe.ts'

const permission = 'customers:read'

/** Deliveries are stored, and can outlive a customer’s data: they have none of it. */
const customerCreated = webhookEvent({
  type: 'customer.created',
  summary: 'A customer was created',
  permission,
  data: z.object({ customerId: Id }),
})

const customerUpdated = webhookEvent({
  type: 'customer.updated',
  summary: 'A customer was changed, archived or restored',
  permission,
  data: z.object({
    customerId: Id,
    changed: z.array(z.string()).describe('The names of the fields.'),
    isArchived: z.boolean(),
  }),
})

const customerErased = webhookEvent({
  type: 'customer.erased',
  summary: 'The personal data of a customer was deleted',
  permission,
  data: z.object({ customerId: Id }),
})

export const customerEvents = [customerCreated, customerUpdated, customerErased]

type Customer = Pick<CustomerRow, 'id' | 'organizationId' | 'archivedAt' | 'erasedAt'>

export const emitCustomerCreated = (tx: Database, emitting: EmitDependencies, customer: Customer): Promise<void> =>
  emitWebhook(tx, emitting, {
    organizationId: customer.organizationId,
    event: customerCreated,
    data: { customerId: customer.id },
  })

/** On the transaction of the change. */
export async function emitCustomerChange(
  tx: Database,
  emitting: EmitDependencies,
  { id, organizationId, archivedAt, erasedAt }: Customer,
  changed: string[],
): Promise<void> {
  if (erasedAt) return emitWebhook(tx, emitting, { organizationId, event: customerErased, data: { customerId: id } })
  const data = { customerId: id, changed, isArchived: archivedAt !== null }
  await emitWebhook(tx, emitting, { organizationId, event: customerUpdated, data })
}
