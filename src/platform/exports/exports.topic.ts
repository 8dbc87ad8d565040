import { z } from 'zod'
import type { Provided } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { notFound } from '#lib/errors.ts'
import { Id } from '#lib/ids.ts'
import { topic } from '#lib/topic.ts'

const event = 'platform.export'

/** When `db`'s transaction commits. */
export const publishExportChange = (
  { events }: Pick<Provided, 'events'>,
  db: Database,
  personId: string,
): Promise<void> => events.publish(db, event, { personId })

/** `exports:<personId>`: an export that the person requested has started or ended. */
export const exportsTopic = topic({
  name: 'exports',
  permission: 'signed-in',
  event,
  payload: z.object({ personId: Id }),
  idOf: ({ personId }) => personId,
  authorize: async ({ actor, input }) => {
    if (actor.principal.id !== input) throw notFound('person')
  },
})
