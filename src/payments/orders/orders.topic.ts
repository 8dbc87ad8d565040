import { z } from 'zod'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Actor } from '#lib/actor.ts'
import type { Database } from '#lib/db.ts'
import { notFound } from '#lib/errors.ts'
import type { Events } from '#lib/events.ts'
import { Id } from '#lib/ids.ts'
import { topic } from '#lib/topic.ts'

const event = 'payments.order'

/** `orders:<organizationId>`: an order was created, or its state, payments, refunds or disputes changed. */
export const ordersTopic = topic({
  name: 'orders',
  permission: 'payments:read',
  event,
  payload: z.object({ organizationId: Id, orderId: Id }),
  idOf: ({ organizationId }) => organizationId,
  authorize: async ({ actor, input }: Call<string, Actor>) => {
    if (organizationOf(actor, 'payments:read') !== input) throw notFound('organization')
  },
})

export const publishOrder = (
  { events }: { events: Events },
  tx: Database,
  { organizationId, id }: { organizationId: string; id: string },
): Promise<void> => events.publish(tx, event, { organizationId, orderId: id })
