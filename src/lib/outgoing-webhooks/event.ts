import type { z } from 'zod'
import type { Permission } from '../actor.ts'

export interface WebhookEvent<Data extends z.ZodType = z.ZodType> {
  type: `${Lowercase<string>}.${Lowercase<string>}`
  summary: string
  /** The slug of the service whose permission it is; by default that of the context. */
  service?: string
  /** The permission that reads the same data in the API: only people who have it can subscribe to the event. */
  permission: Extract<Permission, `${string}:${string}`>
  data: Data
}

export const webhookEvent = <Data extends z.ZodType>(event: WebhookEvent<Data>): WebhookEvent<Data> => event

export interface OfferedEvent extends WebhookEvent {
  service: string
}

/** @throws when two declare the same type */
export function offeredEvents(
  contexts: readonly { slug: string; events?: readonly WebhookEvent[] }[],
): readonly OfferedEvent[] {
  const offered = contexts.flatMap(({ slug, events = [] }) => events.map((event) => ({ service: slug, ...event })))
  const types = offered.map(({ type }) => type)
  const twice = types.find((type, at) => types.indexOf(type) !== at)
  if (twice) throw new Error(`Two contexts declare the event ${twice}`)
  return offered
}
