import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { newId } from '#lib/ids.ts'
import { deleteEndedSubscriptions } from '../../../src/dashboard/delivery/push/ended.ts'
import { openOffice, type Office } from './office.ts'
import { openPushService, type PushBrowser } from './push-service.ts'

interface Browsers {
  items: { id: string; browser: string }[]
  publicKey: string
}

let office: Office
const service = openPushService()
beforeAll(async () => {
  office = await openOffice()
  const { publicKey } = await office.world.ada.fetchJson<Browsers>('GET /api/push-browsers')
  service.expectKey(publicKey)
})
afterEach(() => office.clear())
afterAll(async () => {
  await service.close()
  await office.close()
})

async function subscribe(): Promise<PushBrowser> {
  const browser = service.subscribe()
  await office.world.ada.fetchJson('POST /api/push-browsers', browser.draft, 201)
  return browser
}

const failed = { kind: 'social.post_failed', service: 'platform-socialize', permission: 'posts:read' }
const states = async (id: string) =>
  (await office.deliveries(id)).filter(({ channel }) => channel === 'push').map(({ state }) => state)

test('DSH-37 push message is encrypted for the browser, signed, and sent once', async () => {
  const browser = await subscribe()
  const { id } = await office.take('Post failed: ä€😀', { ...failed, href: '/workspace/posts' })
  await office.announce()
  await Promise.all([office.sendDue(), office.sendDue()])
  await office.sendDue()
  expect(service.refusals).toEqual([])
  expect(browser.messages).toEqual([
    {
      title: 'Post failed: ä€😀',
      body: 'A customer disputes a payment.',
      href: '/workspace/posts',
      tag: `atrium-${id}`,
    },
  ])
  expect(await states(id)).toEqual(['sent'])
})

test('DSH-37 many push messages at once become one, and the longest texts fit', async () => {
  const browser = await subscribe()
  for (let at = 0; at < 5; at++) await office.take(`${at} ${'😀'.repeat(90)}`, { ...failed, reason: '€'.repeat(2000) })
  await office.announce()
  await office.sendDue()
  expect(service.refusals).toEqual([])
  expect(browser.messages.map(({ title }) => title)).toEqual(['5 new notifications'])
})

test('DSH-37 push service that throttles is asked again when it said, and one that is down after a pause', async () => {
  const browser = await subscribe()
  office.setClock('2026-07-01T14:00:00Z')
  const { id } = await office.take('Later', failed)
  await office.announce()
  service.faults.push({ status: 429, retryAfter: '600' }, { status: 503 })
  await office.sendDue()
  office.setClock('2026-07-01T14:09:00Z')
  await office.sendDue()
  expect([browser.messages.length, service.faults.length]).toEqual([0, 1])
  office.setClock('2026-07-01T14:10:00Z')
  await office.sendDue()
  expect([browser.messages.length, service.faults.length]).toEqual([0, 0])
  office.setClock('2026-07-01T14:20:00Z')
  await office.sendDue()
  expect(browser.messages).toHaveLength(1)
  expect(await states(id)).toEqual(['sent'])
})

test('DSH-37 failed push message doesn’t release those that quiet hours hold', async () => {
  const browser = await subscribe()
  await office.world.ada.fetchJson('PUT /api/notification-preferences', {
    email: false,
    quietHours: true,
    quietFrom: '20:00',
    quietUntil: '07:00',
    timeZone: 'Europe/Berlin',
    choices: [{ kind: 'payments.dispute', channel: 'push', enabled: true }],
  })
  office.setClock('2026-07-01T21:00:00Z')
  await office.take('Held')
  await office.take('Urgent', failed)
  await office.announce()
  service.faults.push({ status: 503 })
  await office.sendDue()
  office.setClock('2026-07-01T21:10:00Z')
  await office.sendDue()
  expect(browser.messages.map(({ title }) => title)).toEqual(['Urgent'])
  office.setClock('2026-07-02T05:00:00Z')
  await office.sendDue()
  expect(browser.messages.map(({ title }) => title)).toEqual(['Urgent', 'Held'])
})

test('DSH-37 IDN-27 push message that waits isn’t sent once the role is limited to another brand, or push is off', async () => {
  const { world, organizationId } = office
  const ida = await world.join(world.ada, { name: 'Ida', role: 'editor' })
  const browser = service.subscribe()
  await ida.fetchJson('POST /api/push-browsers', browser.draft, 201)
  const own = await subscribe()
  const { id } = await office.take('Of another brand', { ...failed, resourceKind: 'brand', resourceId: newId() })
  const mentioned = { ...failed, kind: 'comment.mentioned', personId: ida.id, resourceKind: 'brand' }
  const mention = await office.take('Mention in another brand', { ...mentioned, resourceId: newId() })
  await office.announce()
  const resources = [{ service: 'platform-socialize', kind: 'brand', id: world.ada.things.brands, role: 'editor' }]
  await world.ada.fetchJson(`PUT /api/organizations/${organizationId}/members/${ida.id}/resources`, { resources })
  await world.ada.fetchJson('PUT /api/notification-preferences', { push: false })
  await office.sendDue()
  expect([browser.messages, own.messages]).toEqual([[], []])
  expect(await states(id)).toEqual(['dropped', 'dropped'])
  expect(await states(mention.id)).toEqual(['dropped'])
})

test('DSH-37 browser that the push service no longer has is deleted, with what waited for it', async () => {
  const browser = await subscribe()
  const { id } = await office.take('Gone', failed)
  await office.announce()
  service.forget(browser)
  await office.sendDue()
  expect(await states(id)).toEqual(['dropped'])
  expect((await office.world.ada.fetchJson<Browsers>('GET /api/push-browsers')).items).toEqual([])
})

test('DSH-37 browser of another person can’t be read or removed, and moves to the person who subscribes in it', async () => {
  const { ada, vera } = office.world
  const { draft } = service.subscribe()
  const own = { ...draft, endpoint: 'https://push.example.net/browser-1' }
  const { items } = await ada.fetchJson<Browsers>('POST /api/push-browsers', own, 201)
  expect((await vera.fetch(`DELETE /api/push-browsers/${items[0]?.id}`)).status).toBe(404)
  await vera.fetchJson('POST /api/push-browsers', own, 201)
  expect((await ada.fetchJson<Browsers>('GET /api/push-browsers')).items).toEqual([])
  expect((await vera.fetchJson<Browsers>('GET /api/push-browsers')).items).toHaveLength(1)
})

test('DSH-37 IDN-03 browser of a session that was revoked or has expired gets no message and is deleted', async () => {
  const { ada, database } = office.world
  const [revoked, expired, kept] = [await ada.signIn(), await ada.signIn(), await ada.signIn()]
  const browsers = [service.subscribe(), service.subscribe(), service.subscribe()] as const
  for (const [at, session] of [revoked, expired, kept].entries())
    await session.fetchJson('POST /api/push-browsers', browsers[at]?.draft, 201)
  await expired.fetchJson('GET /api/push-browsers')
  await database.sql`UPDATE identity.sessions SET created_at = '2020-01-01', idle_expires_at = '2020-01-02'
    WHERE id = (SELECT session_id FROM dashboard.push_subscriptions ORDER BY id OFFSET 1 LIMIT 1)`
  await revoked.fetch('POST /api/auth/logout', {})
  expect((await ada.fetchJson<Browsers>('GET /api/push-browsers')).items).toHaveLength(1)
  const { id } = await office.take('Post failed', failed)
  await office.announce()
  await office.sendDue()
  expect(browsers.map(({ messages }) => messages.length)).toEqual([0, 0, 1])
  expect((await states(id)).toSorted()).toEqual(['dropped', 'dropped', 'sent'])
  expect(await database.sql`SELECT 1 FROM dashboard.push_subscriptions`).toHaveLength(1)
})

test('DSH-37 browser in which a person signed out is deleted without a message', async () => {
  const { ada, database } = office.world
  const session = await ada.signIn()
  await session.fetchJson('POST /api/push-browsers', service.subscribe().draft, 201)
  const kept = await subscribe()
  const clean = () => deleteEndedSubscriptions.run({ ...office.work(), input: {} })
  const rows = () => database.sql`SELECT 1 FROM dashboard.push_subscriptions`
  await clean()
  expect(await rows()).toHaveLength(2)
  await session.fetch('POST /api/auth/logout', {})
  await clean()
  expect(await rows()).toHaveLength(1)
  await office.take('Post failed', failed)
  await office.announce()
  await office.sendDue()
  expect(kept.messages).toHaveLength(1)
})

test('DSH-37 push subscription with a wrong endpoint, wrong keys or another field is refused by its field', async () => {
  const { draft } = service.subscribe()
  const good = { ...draft, endpoint: 'https://push.example.net/browser-2' }
  const wrong: [object, string][] = [
    [{ ...good, endpoint: 'not a URL' }, 'endpoint'],
    [{ ...good, keys: { ...good.keys, p256dh: 'AAAA' } }, 'keys.p256dh'],
    [{ ...good, keys: { ...good.keys, p256dh: `BA${'A'.repeat(85)}` } }, 'keys.p256dh'],
    [{ ...good, keys: { ...good.keys, auth: 'AAAA' } }, 'keys.auth'],
    [{ ...good, more: 1 }, 'more'],
  ]
  for (const [body, path] of wrong) {
    const response = await office.world.ada.fetch('POST /api/push-browsers', body)
    const { errors } = await response.json()
    expect([response.status, errors.map((error: { path: string }) => error.path)]).toEqual([422, [path]])
  }
})

test('DSH-37 twentieth browser is the last one', async () => {
  const { ada } = office.world
  const subscribeAt = (at: number) =>
    ada.fetch('POST /api/push-browsers', {
      ...service.subscribe().draft,
      endpoint: `https://push.example.net/many-${at}`,
    })
  const answers = await Promise.all(Array.from({ length: 22 }, (_, at) => subscribeAt(at)))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(20)
  expect((await subscribeAt(30)).status).toBe(409)
})
