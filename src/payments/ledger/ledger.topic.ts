import { z } from 'zod'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Actor } from '#lib/actor.ts'
import type { Database } from '#lib/db.ts'
import { notFound } from '#lib/errors.ts'
import type { Events } from '#lib/events.ts'
import { Id } from '#lib/ids.ts'
import { topic } from '#lib/topic.ts'

const event = 'payments.ledger'

/** `ledger:<organizationId>`: transactions were posted. */
export const ledgerTopic = topic({
  name: 'ledger',
  permission: 'transactions:read',
  event,
  payload: z.object({ organizationId: Id }),
  idOf: ({ organizationId }) => organizationId,
  authorize: async ({ actor, input }: Call<string, Actor>) => {
    if (organizationOf(actor, 'transactions:read') !== input) throw notFound('organization')
  },
})

export const publishLedger = (
  { events }: { events: Pick<Events, 'publish'> },
  tx: Database,
  organizationId: string,
): Promise<void> => events.publish(tx, event, { organizationId })
