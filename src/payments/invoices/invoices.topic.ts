import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { notFound } from '#lib/errors.ts'
import type { Events } from '#lib/events.ts'
import { Id } from '#lib/ids.ts'
import { topic } from '#lib/topic.ts'
import { publishOrder } from '../orders/orders.topic.ts'

const event = 'payments.invoice'

/** `invoices:<organizationId>`: an invoice was created, issued, sent, paid, credited or voided. */
export const invoicesTopic = topic({
  name: 'invoices',
  permission: 'invoices:read',
  event,
  payload: z.object({ organizationId: Id, invoiceId: Id }),
  idOf: ({ organizationId }) => organizationId,
  authorize: async ({ actor, input }: Call<string, Actor>) => {
    if (organizationOf(actor, 'invoices:read') !== input) throw notFound('organization')
  },
})

interface Changed {
  organizationId: string
  id: string
  orderId: string | null
}

/** Also to its order’s page, which shows the invoice. */
export async function publishInvoice(
  call: { events: Events },
  tx: Database,
  { organizationId, id, orderId }: Changed,
): Promise<void> {
  await call.events.publish(tx, event, { organizationId, invoiceId: id })
  if (orderId !== null) await publishOrder(call, tx, { organizationId, id: orderId })
}
