import type { Presented } from '#identity'
import type { Actor } from '#lib/actor.ts'
import { digest } from '#lib/ids.ts'
import type { WidgetPayload } from '#lib/widget.ts'
import { createAppBreakers } from './breakers.ts'
import { createWidgetCache, freshMs, type CachedWidget } from './cache.ts'
import { createFlights, type Claim } from './flights.ts'
import { failureOf, isAppsFault, WidgetFailure } from './failure.ts'
import { createKnownApps, type KnownApps } from './known-apps.ts'
import type { ReadWidget, WidgetSource } from './read.ts'
import { within } from './within.ts'

declare module '#lib/call.ts' {
  interface Provided {
    readonly widgets: WidgetLoader
  }
}

interface Viewer {
  presented: Presented
  actor: Actor
}

type Outcome = 'success' | 'missing' | WidgetFailure['code']

export type Loaded =
  | ({ state: 'fresh' | 'cached' } & CachedWidget & { error: null })
  | ({ state: 'stale' } & CachedWidget & { error: WidgetFailure })
  | { state: 'overview'; error: WidgetFailure | null }

export interface WidgetLoader {
  /** Never throws. Takes at most two seconds, or `waitMs`. With `changed` a read that began before isn't used. */
  load(viewer: Viewer, app: WidgetSource, options?: { changed?: boolean; waitMs?: number }): Promise<Loaded>
  /** The installed apps, within the same time. `key` names whose they are. @throws {Problem} 503 */
  listApps: KnownApps['list']
  /** Reads of apps so far. */
  counts(): { app: string; outcome: Outcome; count: number }[]
}

interface Options {
  read: ReadWidget
  /** Milliseconds that only go up. */
  now?: () => number
  budgetMs?: number
}

/** Milliseconds for one app, with its token, and for the whole batch (DSH-11). */
export const budget = 2_000

export function createWidgetLoader({ read, now = () => Date.now(), budgetMs = budget }: Options): WidgetLoader {
  const cache = createWidgetCache(now)
  const breakers = createAppBreakers(now)
  const flights = createFlights<Loaded>()
  const knownApps = createKnownApps({ now, budgetMs })
  const counts = new Map<string, { app: string; outcome: Outcome; count: number }>()

  const count = (app: string, outcome: Outcome) => {
    const key = `${app} ${outcome}`
    counts.set(key, { app, outcome, count: (counts.get(key)?.count ?? 0) + 1 })
  }
  const whatIsKept = (key: string, error: WidgetFailure): Loaded => {
    const kept = cache.get(key)
    return kept ? { state: 'stale', ...kept, error } : { state: 'overview', error }
  }
  const succeed = (key: string, payload: WidgetPayload | null, claim: Claim): Loaded => {
    const widget = payload && { payload, fetchedAt: now() }
    if (claim()) {
      if (widget) cache.set(key, widget)
      else cache.delete(key)
    }
    return widget ? { state: 'fresh', ...widget, error: null } : { state: 'overview', error: null }
  }
  const fail = (key: string, { slug, name }: WidgetSource, cause: unknown, claim: Claim): Loaded => {
    const error = failureOf(cause, name)
    if (error.code !== 'widget_paused') count(slug, error.code)
    // A refusal says nothing about the app: it must not end the pause of one that hangs.
    if (isAppsFault(error)) breakers.report(slug, false)
    // Who lost the access must not see what was read with it, now or later.
    if (error.code === 'widget_refused' && claim()) cache.delete(key)
    return whatIsKept(key, error)
  }
  const readOnce = async (key: string, viewer: Viewer, app: WidgetSource, claim: Claim): Promise<Loaded> => {
    try {
      if (!breakers.canCall(app.slug)) throw paused(app.name)
      const payload = await within(budgetMs, (signal) => read(viewerOf(viewer), app, signal), app.name)
      count(app.slug, payload ? 'success' : 'missing')
      breakers.report(app.slug, true)
      return succeed(key, payload, claim)
    } catch (cause) {
      return fail(key, app, cause, claim)
    }
  }

  return {
    load: async (viewer, app, { changed = false, waitMs = budgetMs } = {}) => {
      if (!isPerson(viewer.actor)) return { state: 'overview', error: sessionNeeded() }
      const key = keyOf(viewer.actor, app)
      const known = changed ? undefined : cache.get(key)
      if (known && known.fetchedAt + freshMs > now()) return { state: 'cached', ...known, error: null }
      const reading = flights.share(key, (claim) => readOnce(key, viewer, app, claim), { fromNow: changed })
      return within(waitMs, () => reading, app.name).catch((late: unknown) =>
        whatIsKept(key, failureOf(late, app.name)),
      )
    },
    listApps: (key, readApps) => knownApps.list(key, readApps),
    counts: () => [...counts.values()],
  }
}

const viewerOf = ({ presented, actor }: Viewer) => ({ presented, organizationId: actor.organization?.id ?? null })

const isPerson = ({ tokenType, app }: Actor): boolean =>
  (tokenType === 'session' || tokenType === 'access') && app === null

const sessionNeeded = () =>
  new WidgetFailure('session_required', 'API keys get no content of apps: it depends on what a person can see.')

const paused = (name: string) =>
  new WidgetFailure('widget_paused', `${name} failed several times in a row and is tried again in a few seconds.`)

/** Whatever decides what an app shows: the person, the context, and what they can do in the app there. */
function keyOf(actor: Actor, app: WidgetSource): string {
  const { principal, organization, bindings, onlyIn } = actor
  const own = (permissions: Iterable<string>) => [...permissions].filter((each) => each.startsWith(`${app.id}.`)).sort()
  const reach = {
    permissions: own(actor.permissions),
    bindings: bindings.map(({ kind, id, permissions }) => [kind, id, permissions ? own(permissions) : null]),
    role: organization?.role,
    onlyIn,
    url: app.url,
  }
  return [principal.id, organization?.id ?? 'personal', app.id, digest(JSON.stringify(reach))].join(' ')
}
