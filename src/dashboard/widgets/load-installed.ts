import { presentedBy } from '#identity'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { listWidgetApps } from '../grid/widget-apps.ts'
import type { LoadedWidget } from './contract.ts'
import { describeWidget } from './describe.ts'
import { budget } from './loader.ts'
import { loadOwnWidget, ownSlug } from './own.ts'
import { sourceOf } from './source.ts'

interface Wanted {
  /** Slugs; all when not set. */
  apps?: readonly string[]
  changed?: boolean
}

/** Each within the time for the batch. @throws {Problem} 503 without the installed apps */
export async function loadInstalled(
  call: Call<unknown, Actor>,
  { apps, changed }: Wanted,
): Promise<Promise<LoadedWidget>[]> {
  const { actor, request, widgets, now } = call
  const began = performance.now()
  const installed = await listWidgetApps(call)
  const wanted = apps ? [...new Set(apps)].flatMap((slug) => installed.filter((app) => app.slug === slug)) : installed
  const viewer = { presented: presentedBy(request), actor }
  const waitMs = Math.max(0, budget - (performance.now() - began))
  const load = (app: (typeof wanted)[number]) =>
    app.slug === ownSlug ? loadOwnWidget(call, waitMs) : widgets.load(viewer, sourceOf(call, app), { changed, waitMs })
  return wanted.map(async (app) => describeWidget(app, await load(app), now()))
}
