import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { notFound } from '#lib/errors.ts'
import type { Events } from '#lib/events.ts'
import { Id } from '#lib/ids.ts'
import { topic } from '#lib/topic.ts'

const event = 'payments.reconciliation'

/** `reconciliation:<organizationId>`: a run began, went on or ended, or a difference changed. */
export const reconciliationTopic = topic({
  name: 'reconciliation',
  permission: 'transactions:read',
  event,
  payload: z.object({ organizationId: Id }),
  idOf: ({ organizationId }) => organizationId,
  authorize: async ({ actor, input }: Call<string, Actor>) => {
    if (organizationOf(actor, 'transactions:read') !== input) throw notFound('organization')
  },
})

export const publishReconciliation = (
  { events }: { events: Pick<Events, 'publish'> },
  tx: Database,
  organizationId: string,
): Promise<void> => events.publish(tx, event, { organizationId })
