import type { Presented } from '#identity'
import type { Actor } from '#lib/actor.ts'
import { digest } from '#lib/ids.ts'
import type { WidgetPayload } from '#lib/widget.ts'
import { createAppBreakers } from './breakers.ts'
import { createWidgetCache, freshMs, type CachedWidget } from './cache.ts'
import { failureOf, isAppsFault, timedOut, WidgetFailure } from './failure.ts'
import type { ReadWidget, WidgetSource } from './read.ts'

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
  /** Never throws. Takes at most two seconds, and twice that with `changed`: the app is read after a read under way. */
  load(viewer: Viewer, app: WidgetSource, options?: { changed: boolean }): Promise<Loaded>
  /** Reads of apps so far. */
  counts(): { app: string; outcome: Outcome; count: number }[]
}

interface Options {
  read: ReadWidget
  /** Milliseconds that only go up. */
  now?: () => number
  budgetMs?: number
}

/** Milliseconds for one app, with its token (DSH-11). */
const budget = 2_000

export function createWidgetLoader({ read, now = () => Date.now(), budgetMs = budget }: Options): WidgetLoader {
  const cache = createWidgetCache(now)
  const breakers = createAppBreakers(now)
  const running = new Map<string, Promise<WidgetPayload | null>>()
  const counts = new Map<string, { app: string; outcome: Outcome; count: number }>()

  const count = (app: string, outcome: Outcome) => {
    const key = `${app} ${outcome}`
    counts.set(key, { app, outcome, count: (counts.get(key)?.count ?? 0) + 1 })
  }
  /** Null for an app without a widget. */
  const readOnce = (key: string, viewer: Viewer, app: WidgetSource, leftMs: number): Promise<WidgetPayload | null> => {
    const known = running.get(key)
    if (known) return known
    const reading = within(leftMs, (signal) => read(viewerOf(viewer), app, signal), app.name).finally(() =>
      running.delete(key),
    )
    running.set(key, reading)
    return reading
  }
  const fetchWidget = async (key: string, viewer: Viewer, app: WidgetSource, leftMs: number): Promise<Loaded> => {
    const isFirst = !running.has(key)
    const report = (outcome: Outcome) => isFirst && count(app.slug, outcome)
    try {
      if (isFirst && !breakers.canCall(app.slug)) throw paused(app.name)
      const payload = await readOnce(key, viewer, app, leftMs)
      report(payload ? 'success' : 'missing')
      if (isFirst) breakers.report(app.slug, true)
      if (!payload) {
        cache.delete(key)
        return { state: 'overview', error: null }
      }
      const widget = { payload, fetchedAt: now() }
      cache.set(key, widget)
      return { state: 'fresh', ...widget, error: null }
    } catch (cause) {
      const error = failureOf(cause, app.name)
      if (error.code !== 'widget_paused') report(error.code)
      // A refusal says nothing about the app: it must not end the pause of one that hangs.
      if (isFirst && isAppsFault(error)) breakers.report(app.slug, false)
      // Who lost the access must not see what was read with it, now or later.
      if (error.code === 'widget_refused') cache.delete(key)
      const kept = cache.get(key)
      return kept ? { state: 'stale', ...kept, error } : { state: 'overview', error }
    }
  }

  return {
    load: async (viewer, app, { changed } = { changed: false }) => {
      if (!isPerson(viewer.actor)) return { state: 'overview', error: sessionNeeded() }
      const key = keyOf(viewer.actor, app)
      const began = performance.now()
      // What is under way can have been read before the change.
      if (changed) await running.get(key)?.catch(() => {})
      const known = changed ? undefined : cache.get(key)
      if (known && known.fetchedAt + freshMs > now()) return { state: 'cached', ...known, error: null }
      return fetchWidget(key, viewer, app, Math.max(budgetMs - (performance.now() - began), 0))
    },
    counts: () => [...counts.values()],
  }
}

/** The work goes on after the deadline only until it looks at the signal. */
async function within<Result>(
  ms: number,
  work: (signal: AbortSignal) => Promise<Result>,
  name: string,
): Promise<Result> {
  const abort = new AbortController()
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    abort.abort()
    late.reject(timedOut(name))
  }, ms)
  return Promise.race([work(abort.signal), late.promise]).finally(() => clearTimeout(timer))
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
