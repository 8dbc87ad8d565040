import { z } from 'zod'
import type { Provided } from '../call.ts'
import type { DatabaseHandle } from '../db.ts'
import { Id } from '../ids.ts'
import { job } from '../job.ts'
import type { OfferedEvent } from '../outgoing-webhooks/event.ts'
import type { Clock } from '../time.ts'

declare module '../call.ts' {
  interface Provided {
    /** Null where no context takes events. */
    readonly takeEvent: TakeEvent | null
    /** Of all services, also of those in other processes. */
    readonly webhookEvents: readonly OfferedEvent[]
  }
}

const HandedEvent = z.object({
  subscriptionId: Id,
  organizationId: Id,
  messageId: Id,
  type: z.string(),
  timestamp: z.iso.datetime(),
  data: z.unknown(),
})
type HandedEvent = z.output<typeof HandedEvent>

/** Can be called more than once for an event: `messageId` stays the same. */
export type TakeEvent = (
  work: Provided & { readonly database: DatabaseHandle; readonly now: Clock },
  event: HandedEvent,
) => Promise<void>

export const handOverEvent = job({
  name: 'platform.hand-over-event',
  input: HandedEvent,
  retries: 12,
  concurrency: 2,
  perTenant: { of: ({ organizationId }) => organizationId, concurrency: 1 },
  run: async (call) => {
    if (!call.takeEvent) throw new Error('Nothing receives events in this process')
    await call.takeEvent(call, call.input)
  },
})
