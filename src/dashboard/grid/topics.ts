import type { Actor } from '#lib/actor.ts'
import { isAllowed } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'

/** Of the dashboard’s own widget, which shows the actions. */
export async function followedTopics({ identity }: Call, actor: Actor): Promise<string[]> {
  const canFollow = isAllowed(actor, 'notifications:read', await identity.serviceId('platform-dashboard-api'))
  return canFollow && actor.organization ? [`actions:${actor.organization.id}`] : []
}

/** Of these apps’ widgets, by slug; empty for those of other processes. */
export async function readWidgetTopics(
  call: Call<unknown, Actor>,
  slugs: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const read = async (slug: string) => [slug, (await call.widgetTopics[slug]?.(call, call.actor)) ?? []] as const
  return new Map(await Promise.all(slugs.map(read)))
}
