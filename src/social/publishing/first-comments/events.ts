import type { AttemptEvent } from '../../schema.ts'

/** Of a request that can have created a comment. */
export const mayHaveArrived = ({ what }: AttemptEvent): boolean =>
  what === 'published' || what === 'unclear' || what === 'taken_over'

const maxEvents = 100

/** A comment that waits for the gateway is tried every half minute. A request that may have arrived is kept. */
export function limitEvents(events: AttemptEvent[]): AttemptEvent[] {
  const last = events.slice(-maxEvents)
  const doubtful = events.findLast(mayHaveArrived)
  return !doubtful || last.includes(doubtful) ? last : [doubtful, ...last.slice(1)]
}
