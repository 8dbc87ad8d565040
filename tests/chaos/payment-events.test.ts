import { afterAll, beforeAll, expect, test } from 'bun:test'
import { z } from 'zod'
import { newId } from '#lib/ids.ts'
import { createHandlingJob } from '#lib/incoming-webhooks/handle.ts'
import { Problem } from '#lib/errors.ts'
import { stripeEvents } from '../../src/payments/webhooks/receive.ts'
import type { Snapshot } from '../../src/payments/checkout/snapshot.ts'
import { openWorld, type World } from '../support/world.ts'
import { chanceOf, type Chance } from '../payments/conserved/random.ts'
import { recordStories, type Recording } from '../payments/conserved/recorded.ts'
import { deliver } from '../payments/provider.ts'

// Events of recorded payments arrive in random orders, late and twice, while the provider’s state goes on: each payment
// has one end state.

const long = process.env['TEST_LONG'] === 'true'
const shuffles = long ? 1_000 : 100
/** Payments that get their events at the same time. */
const concurrency = 8

let world: World
let recordings: Recording[]
const secret = `whsec_${'e'.repeat(32)}`

beforeAll(async () => {
  world = await openWorld({ env: { STRIPE_WEBHOOK_SECRET: secret } })
  recordings = await recordStories(world)
})
afterAll(() => world.close())

interface Named {
  suffix: string
  orderId: string
  paymentId: string
}

/** A copy of a recorded payment has IDs of its own. */
function rename<Value>(value: Value, recording: Recording, named: Named): Value
function rename(value: unknown, recording: Recording, named: Named): unknown {
  if (typeof value === 'string')
    return value
      .replaceAll(recording.orderId, named.orderId)
      .replaceAll(recording.paymentId, named.paymentId)
      .replaceAll(/\b(?:cs_test|pi|ch|re|du|txn|evt)_\w+/g, (id) => `${id}${named.suffix}`)
  if (Array.isArray(value)) return value.map((each) => rename(each, recording, named))
  if (value instanceof Map)
    return new Map([...value].map(([key, each]) => [rename(key, recording, named), rename(each, recording, named)]))
  if (value instanceof Date || typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, rename(each, recording, named)]))
}

/** Its order as it was before the customer paid. */
async function copyOrder({ orderId, paymentId }: Recording, named: Named): Promise<void> {
  const change = JSON.stringify({ id: named.orderId, number: named.suffix })
  const payment = JSON.stringify({
    id: named.paymentId,
    order_id: named.orderId,
    receipt_token: named.suffix,
    next_check_at: null,
  })
  await world.database.sql`
    INSERT INTO payments.orders SELECT (jsonb_populate_record(row, ${change}::text::jsonb)).*
    FROM payments.orders AS row WHERE id = ${orderId}`
  await world.database.sql`
    INSERT INTO payments.payments SELECT (jsonb_populate_record(row, ${payment}::text::jsonb
      || jsonb_build_object('checkout_session_id', checkout_session_id || ${named.suffix}::text))).*
    FROM payments.payments AS row WHERE id = ${paymentId}`
}

/** The provider, whose state at each request is that of the moment: also in the middle of what one event causes. */
function gatewayAt(now: () => Snapshot, chance: Chance): World['provided']['gateway'] {
  return gatewayOf(async (read) => {
    const result = read(now())
    await Bun.sleep(chance.upTo(3))
    return result
  })
}

/** The same for a slow server: what it reads first is applied after all other events. */
function slowGateway(now: () => Snapshot, others: Promise<unknown>): World['provided']['gateway'] {
  const first = now()
  let pages = 0
  return gatewayOf(async (read, isPage) => {
    if (isPage) pages += 1
    const result = read(pages <= 1 ? first : now())
    await others
    return result
  })
}

type Say = <Result>(read: (snapshot: Snapshot) => Result, isPage?: boolean) => Promise<Result>

function gatewayOf(say: Say): World['provided']['gateway'] {
  const { gateway } = world.provided
  const get = async <Item>(read: (snapshot: Snapshot) => Item | null, isPage = false): Promise<Item> => {
    const found = await say(read, isPage)
    if (found === null) throw new Problem(404, 'not_found', 'This object doesn’t exist.')
    return found
  }
  const list = async <Item>(read: (snapshot: Snapshot) => readonly Item[]) => ({
    items: [...(await say(read))],
    nextCursor: null,
  })
  return {
    ...gateway,
    payments: {
      ...gateway.payments,
      getCheckoutSession: () => get(({ session }) => session, true),
      getPaymentIntent: () => get(({ intent }) => intent),
      getCharge: () => get(({ charge }) => charge),
      listRefunds: () => list(({ refunds }) => refunds),
      listDisputes: () => list(({ disputes }) => disputes),
      listBalanceTransactions: ({ source = '' }) => list(({ movements }) => movements.get(source) ?? []),
    },
  }
}

const Event = z.looseObject({ id: z.string() })

interface Delivery {
  payload: string
  moment: number
}

/** Each from when it exists, some twice; in some shuffles all after the end. */
function shuffle(chance: Chance, { events, moments }: Recording): Delivery[] {
  const last = moments.length - 1
  const isLate = chance.happens(0.3)
  const deliveries = events.flatMap(({ payload, moment }) =>
    Array.from({ length: chance.happens(0.3) ? 2 : 1 }, () => ({
      payload,
      moment: isLate ? last : moment + chance.upTo(last - moment),
      order: chance.upTo(1_000_000),
    })),
  )
  return deliveries.toSorted((a, b) => a.moment - b.moment || a.order - b.order)
}

async function play(seed: number): Promise<{ name: string; end: object }> {
  const chance = chanceOf(seed)
  const recording = recordings[seed % recordings.length]
  if (!recording) throw new Error('Nothing is recorded')
  const named = { suffix: `x${seed}`, orderId: newId(), paymentId: newId() }
  await copyOrder(recording, named)
  const moments = rename(recording.moments, recording, named)
  let moment = 0
  const now = () => moments[moment] ?? fail()
  const deliveries = shuffle(chance, recording)
  const slow = chance.pick(deliveries)
  const others = Promise.withResolvers<null>()
  const handled: Promise<void>[] = []
  let last: Promise<void> | null = null
  for (const delivery of deliveries) {
    moment = delivery.moment
    const event = Event.parse(JSON.parse(rename(delivery.payload, recording, named)))
    const { status } = await deliver(world.handle, event, { secret })
    expect(status).toBe(200)
    const id = `platform:${event.id}`
    if (delivery === slow) {
      last = handle(id, slowGateway(now, others.promise))
      continue
    }
    handled.push(handle(id, gatewayAt(now, chance)))
    // Otherwise the next event arrives in the middle of it.
    if (chance.happens(0.3)) await handled.at(-1)
  }
  await Promise.all(handled)
  others.resolve(null)
  await last
  return { name: recording.name, end: await endOf(named) }
}

const fail = (): never => {
  throw new Error('This moment was not recorded')
}

async function handle(eventId: string, gateway: World['provided']['gateway']): Promise<void> {
  const rows = await world.database.sql<{ id: string; round: number }[]>`
    SELECT id, round FROM platform.received_webhooks WHERE event_id = ${eventId}`
  for (const input of rows)
    for (let attempt = 0; ; attempt += 1) {
      const run = createHandlingJob(stripeEvents).run
      const failed = await run({
        ...world.provided,
        gateway,
        database: world.database,
        now: () => new Date(),
        input: { ...input },
      }).then(
        () => null,
        (error: unknown) => error,
      )
      if (failed === null) break
      if (attempt === 5) throw failed
    }
}

interface Shown {
  [name: string]: unknown
}

/** Without IDs and times, and without timeline and ledger entries, which tell what was seen on the way. */
async function endOf({ orderId }: Named): Promise<object> {
  const order = await world.ada.fetchJson<Shown>(`GET /api/orders/${orderId}`)
  const { items } = await world.ada.fetchJson<{ items: { entries: { account: string; amount: number }[] }[] }>(
    `GET /api/ledger?orderId=${orderId}&limit=100`,
  )
  const balances: Record<string, number> = {}
  for (const { account, amount } of items.flatMap(({ entries }) => entries))
    balances[account] = (balances[account] ?? 0) + amount
  return {
    order: withoutIdentity({ ...order, timeline: null, ledger: null }),
    balances: Object.fromEntries(Object.entries(balances).toSorted(([a], [b]) => a.localeCompare(b))),
  }
}

const identity = /^(?:id|number|version|merchant|checkoutUrl)$|(?:Id|At|Reference)$/

function withoutIdentity(value: unknown): unknown {
  if (Array.isArray(value))
    return value.map(withoutIdentity).toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) => (identity.test(name) ? [] : [[name, withoutIdentity(each)]])),
  )
}

test(`PAY-20 events in ${shuffles} random orders, late and repeated, lead to one end state`, async () => {
  const ends = new Map<string, Map<string, number[]>>()
  let next = 0
  const worker = async () => {
    for (let seed = next++; seed < shuffles; seed = next++) {
      const { name, end } = await play(seed)
      const seen = ends.get(name) ?? new Map<string, number[]>()
      ends.set(name, seen)
      const text = JSON.stringify(end)
      seen.set(text, [...(seen.get(text) ?? []), seed])
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  for (const [name, seen] of ends) expect([name, ...seen.keys()]).toHaveLength(2)
  const verified = await world.ada.fetchJson('GET /api/ledger/verify')
  expect(verified).toMatchObject({ balanced: true, chained: true })
  const states = [...ends].map(([name, seen]) => [name, JSON.parse([...seen.keys()][0] ?? '{}').order.status])
  expect(Object.fromEntries(states)).toEqual({
    'captured after a decline': 'paid',
    'captured in part, by hand': 'paid',
    'refunded twice in part': 'partially_refunded',
    'disputed and won': 'paid',
    'refunded, until the refund failed': 'paid',
  })
})
