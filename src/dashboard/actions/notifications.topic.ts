import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { notFound } from '#lib/errors.ts'
import type { Events } from '#lib/events.ts'
import { Id } from '#lib/ids.ts'
import { topic } from '#lib/topic.ts'

const event = 'dashboard.notification'

/** `actions:<organizationId>`: an action or notice was raised, changed, assigned or resolved. */
export const notificationsTopic = topic({
  name: 'actions',
  permission: 'notifications:read',
  event,
  payload: z.object({ organizationId: Id }),
  idOf: ({ organizationId }) => organizationId,
  authorize: async ({ actor, input }: Call<string, Actor>) => {
    if (organizationOf(actor, 'notifications:read') !== input) throw notFound('organization')
  },
})

export const publishNotification = (
  { events }: { events: Events },
  tx: Database,
  organizationId: string,
): Promise<void> => events.publish(tx, event, { organizationId })
