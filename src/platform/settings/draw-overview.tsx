import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import type { Context } from '#lib/context.ts'
import { scopeOf } from '#lib/http/routes.ts'
import { areaOf } from '../shell/areas.ts'

/** The pages that the person can open on this host. */
export async function loadOverview(running: readonly Context[], call: Call<unknown, Actor>) {
  const { isOpen } = scopeOf(call.hosts, call.request.url.hostname)
  const { groups } = await areaOf(running.filter(isOpen), call, 'settings')
  return { groups: groups.filter(({ places }) => places.length > 0) }
}
