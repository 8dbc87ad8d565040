import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { notFound } from '#lib/errors.ts'
import type { Events } from '#lib/events.ts'
import { Id } from '#lib/ids.ts'
import { topic } from '#lib/topic.ts'

const event = 'payments.settlement'

/** `settlements:<organizationId>`: a batch, its items or its callbacks changed. */
export const settlementsTopic = topic({
  name: 'settlements',
  permission: 'transactions:read',
  event,
  payload: z.object({ organizationId: Id, settlementId: Id }),
  idOf: ({ organizationId }) => organizationId,
  authorize: async ({ actor, input }: Call<string, Actor>) => {
    if (organizationOf(actor, 'transactions:read') !== input) throw notFound('organization')
  },
})

export const publishSettlement = (
  { events }: { events: Events },
  tx: Database,
  { organizationId, settlementId }: { organizationId: string; settlementId: string },
): Promise<void> => events.publish(tx, event, { organizationId, settlementId })
