import type { z } from 'zod'
import type { ServicePermission } from '../actor.ts'

/** An event that organizations can have sent to addresses of theirs. */
export interface WebhookEvent<Data extends z.ZodType = z.ZodType> {
  /** Such as `post.published`. */
  type: `${Lowercase<string>}.${Lowercase<string>}`
  summary: string
  /** What one needs to read the same by the API: only who holds it can have the event sent. */
  permission: ServicePermission
  /** The contract of `data`. What it does not name never leaves the server. */
  data: Data
}

/** Declares an event. List it in the context's `events`. */
export const webhookEvent = <Data extends z.ZodType>(event: WebhookEvent<Data>): WebhookEvent<Data> => event

/** An event with the slug of the service that it is of. */
export interface OfferedEvent extends WebhookEvent {
  service: string
}

/** All events of these contexts. @throws when two have one type */
export function offeredEvents(
  contexts: readonly { slug: string; events?: readonly WebhookEvent[] }[],
): readonly OfferedEvent[] {
  const offered = contexts.flatMap(({ slug, events = [] }) => events.map((event) => ({ ...event, service: slug })))
  const types = offered.map(({ type }) => type)
  const twice = types.find((type, at) => types.indexOf(type) !== at)
  if (twice) throw new Error(`Two contexts declare the event ${twice}`)
  return offered
}
