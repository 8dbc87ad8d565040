import { expect, test } from 'bun:test'
import { createWidgetLoader } from '#dashboard'
import type { Actor } from '#lib/actor.ts'
import { newId } from '#lib/ids.ts'
import { Problem } from '#lib/errors.ts'
import { scaleTime } from '../support/time-scale.ts'

const app = { id: newId(), slug: 'letters', name: 'Letters', url: null, isTrusted: true }

const actorOf = (changes: Partial<Actor> = {}): Actor => ({
  tokenType: 'session',
  principal: { id: newId(), principalType: 'user' },
  credential: { kind: 'session', id: newId() },
  organization: { id: newId(), slug: 'acme', role: 'owner' },
  suspension: null,
  unmetRequirement: null,
  permissions: new Set([`${app.id}.letters:read`]),
  bindings: [],
  service: null,
  isSuperAdmin: false,
  app: null,
  ...changes,
})

type Payload = ReturnType<typeof payloadOf>

const payloadOf = (title: string) => ({
  app: { slug: 'letters', name: 'Letters' },
  title,
  generatedAt: '2026-11-24T10:00:00.000Z',
  metrics: [],
  items: [],
  actions: [],
})

/** A loader with a clock of its own; `next` is what the app answers. */
function open(budgetMs = 50) {
  const given = {
    at: 0,
    reads: 0,
    next: (): Promise<ReturnType<typeof payloadOf> | null> => Promise.resolve(payloadOf('one')),
  }
  const loader = createWidgetLoader({
    now: () => given.at,
    budgetMs,
    read: () => {
      given.reads += 1
      return given.next()
    },
  })
  const viewer = { presented: {}, actor: actorOf() }
  return { given, load: (actor = viewer.actor) => loader.load({ ...viewer, actor }, app), viewer, loader }
}

const fail = () => Promise.reject(new Error('broken'))

test('DSH-11 payload is fresh, then cached for 45 s, then stale for five minutes while the app fails, then an overview', async () => {
  const { given, load } = open()
  expect(await load()).toMatchObject({ state: 'fresh', fetchedAt: 0 })
  given.at = 44_999
  expect(await load()).toMatchObject({ state: 'cached', fetchedAt: 0 })
  expect(given.reads).toBe(1)
  given.next = fail
  given.at = 45_000
  expect(await load()).toMatchObject({ state: 'stale', fetchedAt: 0, error: { code: 'widget_failed' } })
  given.at = 299_999
  expect(await load()).toMatchObject({ state: 'stale' })
  given.at = 300_000
  expect(await load()).toMatchObject({ state: 'overview', error: { code: 'widget_failed' } })
  given.next = () => Promise.resolve(payloadOf('two'))
  expect(await load()).toMatchObject({ state: 'fresh', payload: { title: 'two' } })
})

test('DSH-11 person who lost access to an app doesn’t see what was read before', async () => {
  const { given, load } = open()
  await load()
  given.at = 60_000
  given.next = () => Promise.reject(new Problem(403, 'permission_missing', 'No access.'))
  expect(await load()).toMatchObject({ state: 'overview', error: { code: 'widget_refused' } })
})

test('DSH-11 refused payload is deleted, so that it isn’t shown as cached or stale afterwards', async () => {
  const { given, load, viewer, loader } = open()
  await load()
  given.next = () => Promise.reject(new Problem(403, 'permission_missing', 'No access.'))
  expect(await loader.load(viewer, app, { changed: true })).toMatchObject({ error: { code: 'widget_refused' } })
  given.next = fail
  expect(await load()).toMatchObject({ state: 'overview', error: { code: 'widget_failed' } })
})

test('DSH-11 widget that an app no longer has isn’t shown as stale afterwards', async () => {
  const { given, load, viewer, loader } = open()
  await load()
  given.next = () => Promise.resolve(null)
  expect(await loader.load(viewer, app, { changed: true })).toEqual({ state: 'overview', error: null })
  given.next = fail
  expect(await load()).toMatchObject({ state: 'overview' })
})

test('DSH-11 refusal of one person doesn’t end the pause of an app that fails', async () => {
  const { given, load } = open()
  given.next = fail
  for (let nth = 0; nth < 4; nth++) await load()
  given.next = () => Promise.reject(new Problem(403, 'permission_missing', 'No access.'))
  await load(actorOf())
  given.next = fail
  await load()
  expect(await load()).toMatchObject({ error: { code: 'widget_paused' } })
})

test('DSH-11 identity that is unavailable is named, and is no failure of the app', async () => {
  const { given, load } = open()
  given.next = () => Promise.reject(new Problem(503, 'identity_unavailable', 'Not now.'))
  for (let nth = 0; nth < 6; nth++) expect(await load()).toMatchObject({ error: { code: 'identity_unavailable' } })
})

test('DSH-11 reading again after a change takes no more than the time of one read, however the first one ends', async () => {
  const { given, load, viewer, loader } = open(400)
  given.next = () => new Promise(() => {})
  const first = load()
  const began = performance.now()
  const again = loader.load(viewer, app, { changed: true })
  expect(await first).toMatchObject({ error: { code: 'widget_timeout' } })
  expect(await again).toMatchObject({ error: { code: 'widget_timeout' } })
  expect(performance.now() - began).toBeLessThan(700)
})

test('DSH-11 change is read at once beside a read under way, whose older payload doesn’t replace it', async () => {
  const { given, load, viewer, loader } = open(2_000)
  const [older, newer] = [Promise.withResolvers<Payload>(), Promise.withResolvers<Payload>()]
  given.next = () => older.promise
  const first = load()
  given.next = () => newer.promise
  const changed = loader.load(viewer, app, { changed: true })
  expect(given.reads).toBe(2)
  newer.resolve(payloadOf('after the change'))
  expect(await changed).toMatchObject({ state: 'fresh', payload: { title: 'after the change' } })
  older.resolve(payloadOf('before the change'))
  await first
  expect(await load()).toMatchObject({ state: 'cached', payload: { title: 'after the change' } })
})

test('DSH-11 many changes at once make two reads at a time, and the last read begins after the last change', async () => {
  const { given, load, viewer, loader } = open(2_000)
  let underWay = 0
  let most = 0
  given.next = async () => {
    most = Math.max(most, ++underWay)
    const title = `read ${given.reads}`
    await Bun.sleep(10)
    underWay -= 1
    return payloadOf(title)
  }
  const first = load()
  const changed = await Promise.all(Array.from({ length: 20 }, () => loader.load(viewer, app, { changed: true })))
  await first
  expect(most).toBe(2)
  expect(given.reads).toBe(3)
  expect(changed.at(-1)).toMatchObject({ payload: { title: 'read 3' } })
  expect(await load()).toMatchObject({ state: 'cached', payload: { title: 'read 3' } })
})

test('DSH-11 apps are listed within the time, and as before while identity is unavailable, for five minutes', async () => {
  const { given, loader } = open(100)
  const away = () => new Promise<never>(() => {})
  const began = performance.now()
  await expect(loader.listApps('acme', away)).rejects.toMatchObject({ status: 503, code: 'identity_unavailable' })
  await loader.listApps('acme', async () => [])
  expect(await loader.listApps('acme', away)).toEqual([])
  expect(performance.now() - began).toBeLessThan(scaleTime(400))
  const refused = () => Promise.reject(new Problem(403, 'permission_missing', 'No access.'))
  await expect(loader.listApps('acme', refused)).rejects.toMatchObject({ status: 403 })
  given.at = 300_000
  await expect(loader.listApps('acme', away)).rejects.toMatchObject({ status: 503 })
  await expect(loader.listApps('umbrella', away)).rejects.toMatchObject({ status: 503 })
})

test('DSH-11 widget waits only for what the list of apps left of the time', async () => {
  const { given, viewer, loader } = open(5_000)
  given.next = () => new Promise(() => {})
  const began = performance.now()
  expect(await loader.load(viewer, app, { waitMs: 50 })).toMatchObject({ error: { code: 'widget_timeout' } })
  expect(performance.now() - began).toBeLessThan(scaleTime(1_000))
})

test.each([
  ['person', { principal: { id: newId(), principalType: 'user' } }],
  ['organization', { organization: { id: newId(), slug: 'umbrella', role: 'owner' as const } }],
  ['personal context', { organization: null }],
  ['role', { organization: { id: newId(), slug: 'acme', role: 'viewer' as const } }],
  ['permissions', { permissions: new Set([`${app.id}.other:read`]) }],
  ['brands', { bindings: [{ kind: 'brand', id: newId() }] }],
])('DSH-11 payload of another %s is never shown', async (_, changes) => {
  const { given, load, viewer } = open()
  await load()
  given.next = () => Promise.resolve(payloadOf('two'))
  expect(await load({ ...viewer.actor, ...changes })).toMatchObject({ state: 'fresh', payload: { title: 'two' } })
  expect(await load()).toMatchObject({ state: 'cached', payload: { title: 'one' } })
})

test('DSH-11 app that hangs is given up after its time, and paused after five failures until it is tried once more', async () => {
  const { given, load } = open()
  given.next = () => new Promise(() => {})
  for (let nth = 0; nth < 5; nth++) expect(await load()).toMatchObject({ error: { code: 'widget_timeout' } })
  expect(await load()).toMatchObject({ error: { code: 'widget_paused' } })
  expect(given.reads).toBe(5)
  given.at += 10_000
  const [probe, other] = await Promise.all([load(), load(actorOf())])
  expect([probe.error?.code, other.error?.code]).toEqual(['widget_timeout', 'widget_paused'])
  given.at += 10_000
  given.next = () => Promise.resolve(payloadOf('back'))
  expect(await load()).toMatchObject({ state: 'fresh' })
  expect(await load(actorOf())).toMatchObject({ state: 'fresh' })
})
