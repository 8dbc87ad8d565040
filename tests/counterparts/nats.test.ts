import { afterAll, beforeAll, expect, test } from 'bun:test'
import { newId } from '#lib/ids.ts'
import { eventually, killRest, type Program } from '../boot/program.ts'
import { openWorld, type World } from '../support/world.ts'
import { findNats, freePort, startNats } from './nats.ts'

// Reported usage through a real NATS server with JetStream.

const program = await findNats()
if (!program) console.log('Skipped: nats-server is not installed, and Debian’s package can’t be downloaded.')
const withNats = test.skipIf(!program)
const port = freePort()

let nats: Program
let world: World

beforeAll(async () => {
  if (!program) return
  nats = await startNats(program, port)
  world = await openWorld({ env: { USAGE_INGEST_QUEUE: `nats://127.0.0.1:${port}` } })
})
afterAll(async () => {
  if (!program) return
  await world.close()
  await killRest()
})

const event = () => ({
  requestId: newId(),
  family: 'requests',
  provider: 'maps',
  unit: 'request',
  quantity: 1,
  costNanoUsd: 7,
})
const report = (events: unknown, status = 202) =>
  world.ada.fetchJson<Record<string, unknown>>('POST /platform/usage/events', events, status)
/** Usage of the events here: opening the world uses the gateway, too. */
async function counted() {
  const [row] = await world.database.sql<{ rows: number; cost: number; daily: number }[]>`
    SELECT (SELECT count(*)::int FROM gateway.usage_logs WHERE provider = 'maps') AS rows,
      (SELECT sum(cost_nano_usd)::int FROM gateway.usage_logs WHERE provider = 'maps') AS cost,
      (SELECT sum(count)::int FROM gateway.usage_daily WHERE provider = 'maps') AS daily`
  return row
}

withNats(
  'GTW-30 events are accepted once the broker has them, and counted exactly once also when they are delivered again',
  async () => {
    const events = [event(), event(), event()]
    const [first = event()] = events
    expect(await report(events)).toEqual({ accepted: 3, duplicates: 0, rejected: [] })
    expect(await report([...events, event()])).toEqual({ accepted: 1, duplicates: 3, rejected: [] })
    const conflicting = { ...first, costNanoUsd: 8 }
    expect(await report([conflicting, { ...first, family: 'rent' }])).toMatchObject({
      accepted: 1,
      rejected: [{ index: 1, code: 'invalid' }],
    })
    expect((await counted())?.rows).toBe(0)
    const { ledger, usageQueue } = world.provided
    let failures = 2
    let calls = 0
    // The first commits happen, but their confirmation is lost.
    usageQueue?.work({
      commit: async (...given) => {
        calls += 1
        const result = await ledger.commit(...given)
        if (failures-- > 0) throw new Error('The connection was lost')
        return result
      },
    })
    expect(await eventually(() => calls > 2, 20_000)).toBe(true)
    expect(await eventually(async () => (await counted())?.rows === 4)).toBe(true)
    expect(await counted()).toEqual({ rows: 4, cost: 28, daily: 4 })
  },
)

withNats('GTW-30 without the broker nothing is accepted; after its return what it had is still there', async () => {
  const before = (await counted())?.rows ?? 0
  nats.kill('SIGKILL')
  await nats.exited
  const events = [event(), event()]
  expect(await report(events, 503)).toMatchObject({ code: 'queue_unavailable' })
  nats = await startNats(program ?? '', port)
  let receipt: Record<string, unknown> = {}
  const isAccepted = async () => {
    receipt = await report(events).catch(() => ({}))
    return receipt['rejected'] !== undefined
  }
  expect(await eventually(isAccepted, 30_000)).toBe(true)
  expect(Number(receipt['accepted']) + Number(receipt['duplicates'])).toBe(2)
  expect(await eventually(async () => (await counted())?.rows === before + 2, 20_000)).toBe(true)
})
