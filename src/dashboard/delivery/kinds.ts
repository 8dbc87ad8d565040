import type { Actor } from '#lib/actor.ts'
import { isAllowed } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Channels, NotificationKind } from '#lib/notification-kind.ts'
import { postedKind } from './notification-kinds.ts'

declare module '#lib/call.ts' {
  interface Provided {
    /** Of all services, in the order of the settings. */
    readonly notificationKinds: readonly NotificationKind[]
  }
}

export const kindOf = (kinds: readonly NotificationKind[], name: string | null): NotificationKind =>
  kinds.find((kind) => kind.name === name) ?? postedKind

/** By the kind, what was chosen, and what can’t be turned off. */
export function channelsOf({ defaults, locked = [] }: NotificationKind, chosen: Partial<Channels> = {}): Channels {
  const forced = Object.fromEntries(locked.map((channel) => [channel, true]))
  return { ...defaults, ...chosen, ...forced }
}

/** What the caller can be notified of: the kinds whose notifications it can see. @throws {Problem} 503 */
export async function listVisibleKinds({
  notificationKinds,
  identity,
  actor,
}: Pick<Call<unknown, Actor>, 'notificationKinds' | 'identity' | 'actor'>): Promise<NotificationKind[]> {
  const services = [...new Set(notificationKinds.map(({ service }) => service))]
  // A failed look-up fails the whole: else kinds would be missing as if the caller couldn’t see them.
  const ids = new Map(await Promise.all(services.map(async (slug) => [slug, await identity.serviceId(slug)] as const)))
  return notificationKinds.filter(({ service, permission }) => {
    const serviceId = ids.get(service)
    return serviceId !== undefined && isAllowed(actor, permission, serviceId)
  })
}
