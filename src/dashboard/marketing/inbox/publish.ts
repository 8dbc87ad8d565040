import { z } from 'zod'
import type { Provided } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'

export const inboxChanged = { event: 'dashboard.inbox', payload: z.object({}) }

/** On the transaction: something arrived, was changed or was erased. */
export const publishInbox = ({ events }: Pick<Provided, 'events'>, tx: Database): Promise<void> =>
  events.publish(tx, inboxChanged.event, {})
