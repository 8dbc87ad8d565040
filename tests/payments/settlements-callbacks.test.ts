import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import {
  batchOf,
  openSettlements,
  read,
  receiveCallbacks,
  until,
  untilStatus,
  type CallbackBody,
  type Receiver,
  type Settlements,
} from './settlements-world.ts'

let settlements: Settlements
let receiver: Receiver
let secret = ''

interface Rotated {
  secret: string
  current: { ending: string } | null
  previous: { ending: string; endsAt: string } | null
}

const ada = () => settlements.world.ada

beforeAll(async () => {
  settlements = await openSettlements()
  await settlements.fund(10_000_000)
  secret = (await ada().fetchJson<Rotated>('POST /api/pay/callback-secrets', {}, 201)).secret
})
beforeEach(() => {
  receiver = receiveCallbacks()
})
afterEach(() => receiver.stop())
afterAll(() => settlements.close())

const delivered = (batchId: string) =>
  until(
    () => read(ada(), batchId),
    ({ callbacks }) => callbacks.every(({ state }) => state === 'delivered'),
  )

test('PAY-22 callbacks are signed as by Standard Webhooks, with a sequence without gaps', async () => {
  const draft = batchOf(receiver.url, [100, 200])
  await ada().fetchJson('POST /api/settlements', draft, 202)
  await untilStatus(ada(), draft.batchId, 'completed')
  const { callbacks } = await delivered(draft.batchId)
  const bodies = receiver.received.map((_, at): CallbackBody => {
    const verified = receiver.verify(at, secret)
    expect(receiver.received[at]?.headers).toMatchObject({
      'webhook-id': expect.any(String),
      'webhook-signature': expect.stringMatching(/^v1,/),
      'content-type': 'application/json',
    })
    return verified as CallbackBody
  })
  const sequences = bodies.map(({ data }) => data.sequence).toSorted((one, other) => one - other)
  expect(sequences).toEqual(Array.from(sequences, (_, at) => at + 1))
  expect(callbacks.map(({ sequence }) => sequence)).toEqual(sequences.toReversed())
  const inOrder = bodies.toSorted((one, other) => one.data.sequence - other.data.sequence)
  expect(inOrder.slice(0, 2).map(({ data }) => data.status)).toEqual(['accepted', 'processing'])
  const last = inOrder.at(-1)
  expect(last).toMatchObject({ type: 'settlement.updated', data: { batchId: draft.batchId, status: 'completed' } })
  const states = new Map(inOrder.flatMap(({ data }) => data.items.map(({ reference, status }) => [reference, status])))
  expect(Object.fromEntries(states)).toEqual({ 'i-1': 'settled', 'i-2': 'settled' })
})

test('PAY-22 callback is tried again after 503, with its ID and without holding up the next', async () => {
  receiver.answer(503)
  const draft = batchOf(receiver.url, [100])
  await ada().fetchJson('POST /api/settlements', draft, 202)
  await untilStatus(ada(), draft.batchId, 'completed')
  const { callbacks } = await delivered(draft.batchId)
  const retried = callbacks.find(({ attempts }) => attempts > 1)
  expect(retried?.log.map(({ status }) => status)).toEqual([204, 503])
  const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
  expect(ids.filter((id) => id === retried?.id)).toHaveLength(2)
})

test('PAY-22 callback URL that redirects isn’t followed, and 410 stops the callbacks of its batch until one is replayed', async () => {
  receiver.answer(302, 410)
  const draft = batchOf(receiver.url, [100])
  await ada().fetchJson('POST /api/settlements', draft, 202)
  const stopped = await until(
    () => read(ada(), draft.batchId),
    ({ status, callbacksStoppedAt }) => status === 'completed' && callbacksStoppedAt !== null,
  )
  const gone = stopped.callbacks.find(({ lastStatus }) => lastStatus === 410)
  expect(gone).toMatchObject({ state: 'failed', attempts: expect.any(Number) })
  const redirected = stopped.callbacks.flatMap(({ log }) => log).find(({ status }) => status === 302)
  expect(redirected?.problem).toContain('redirect')
  const route = `POST /api/settlements/${draft.batchId}/callbacks/${gone?.sequence}/replay`
  expect(await ada().fetchJson(route, {}, 202)).toMatchObject({ sequence: gone?.sequence, state: 'waiting' })
  const replayed = await until(
    () => read(ada(), draft.batchId),
    ({ callbacks }) => callbacks.some(({ id, state }) => id === gone?.id && state === 'delivered'),
  )
  expect(replayed.callbacksStoppedAt).toBeNull()
  expect((await ada().fetch(`POST /api/settlements/${draft.batchId}/callbacks/999/replay`, {})).status).toBe(404)
})

test('PAY-22 rotated secret signs together with the previous one, which can’t be rotated away within 24 hours', async () => {
  const { mallory } = settlements.world
  const first = await mallory.fetchJson<Rotated>('POST /api/pay/callback-secrets', {}, 201)
  const second = await mallory.fetchJson<Rotated>('POST /api/pay/callback-secrets', {}, 201)
  expect(second.previous?.ending).toBe(first.secret.slice(-4))
  const shown = await mallory.fetchJson<Rotated>('GET /api/pay/callback-secrets')
  expect([shown.current, shown.previous]).toEqual([second.current, second.previous])
  expect(shown).not.toHaveProperty('secret')
  const third = await mallory.fetch('POST /api/pay/callback-secrets', {})
  expect([third.status, (await third.json()).code]).toEqual([409, 'secret_overlap'])
  const draft = batchOf(receiver.url, [100])
  await mallory.fetchJson('POST /api/settlements', draft, 202)
  await until(
    async () => receiver.received.length,
    (count) => count > 0,
  )
  for (const valid of [first.secret, second.secret])
    expect(receiver.verify(0, valid)).toMatchObject({ type: 'settlement.updated' })
  expect(() => receiver.verify(0, secret)).toThrow()
  expect(receiver.received[0]?.headers['webhook-signature']?.split(' ')).toHaveLength(2)
})

test('PAY-22 subscribed webhook gets settlement.updated too', async () => {
  const hooks = receiveCallbacks()
  const draft = { name: 'Books', url: hooks.url, events: ['settlement.updated'] }
  await ada().fetchJson('POST /api/webhooks', draft, 201)
  const batch = batchOf(receiver.url, [100])
  await ada().fetchJson('POST /api/settlements', batch, 202)
  await untilStatus(ada(), batch.batchId, 'completed')
  const { database } = settlements.world
  const rows = await database.sql<{ body: string }[]>`
    SELECT body FROM platform.webhook_messages WHERE type = 'settlement.updated' ORDER BY id DESC LIMIT 1`
  expect(JSON.parse(rows[0]?.body ?? '{}')).toMatchObject({
    data: { batchId: batch.batchId, settlementId: expect.any(String) },
  })
  await hooks.stop()
})
