import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createOutbound } from '#lib/outbound.ts'
import { deliverCallback } from '../../src/payments/settlements/callbacks/deliver.ts'
import { openWorld, type World } from '../support/world.ts'
import { batchOf, read } from './settlements-world.ts'

/** As in production: callbacks are only sent to the public internet. */
let world: World

beforeAll(async () => {
  world = await openWorld({ env: { ALLOW_PRIVATE_NETWORK: 'false' } })
})
afterAll(() => world.close())

test.each([
  'https://127.0.0.1/callbacks',
  'https://127.1/callbacks',
  'https://2130706433/callbacks',
  'https://0.0.0.0/callbacks',
  'https://10.0.0.8/callbacks',
  'https://172.16.4.1/callbacks',
  'https://192.168.0.1/callbacks',
  'https://169.254.169.254/latest/meta-data',
  'https://[::1]/callbacks',
  'https://[fd00::1]/callbacks',
  'https://[fe80::1]/callbacks',
  'https://[::ffff:10.0.0.8]/callbacks',
  'https://localhost/callbacks',
  'https://shop.localhost/callbacks',
  'http://shop.example/callbacks',
])('PAY-22 callback URL %s is refused with an error of its field', async (url) => {
  const refused = await world.ada.fetch('POST /api/settlements', batchOf(url, [100]))
  const { code, errors } = await refused.json()
  expect([refused.status, code, errors]).toEqual([
    422,
    'validation_failed',
    [{ path: 'callbackUrl', message: expect.any(String) }],
  ])
})

/** Delivers the first callback of a new batch, whose host has this address. */
async function deliverTo(url: string, address: string, permits?: () => boolean) {
  const draft = batchOf(url, [100])
  await world.ada.fetchJson('POST /api/settlements', draft, 202)
  const [callback] = (await read(world.ada, draft.batchId)).callbacks
  const resolve = () => Promise.resolve(address.split(' '))
  await deliverCallback.run({
    ...world.provided,
    outbound: createOutbound({ allowPrivate: false, resolve, ...(permits && { permits }) }),
    database: world.database,
    now: () => new Date(),
    input: { id: callback?.id ?? '', round: 1, organizationId: world.ada.things.organizations },
  })
  const [delivered] = (await read(world.ada, draft.batchId)).callbacks
  return delivered?.log[0]
}

test.each([
  '127.0.0.1',
  '10.1.2.3',
  '172.31.0.1',
  '192.168.7.7',
  '169.254.169.254',
  '::1',
  'fd12:3456::1',
  'fe80::2',
  '93.184.215.14 10.0.0.1',
])('PAY-22 callback to a name that resolves to %s isn’t sent', async (address) => {
  let connections = 0
  const listener = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: { open: () => void (connections += 1), data: (socket) => void socket.end() },
  })
  const url = `https://hooks.example:${listener.port}/callbacks`
  expect(await deliverTo(url, address)).toMatchObject({
    status: null,
    problem: 'hooks.example was not found on the public internet.',
  })
  expect(connections).toBe(0)
  if (address === '127.0.0.1') {
    // The name does lead there.
    await deliverTo(url, address, () => true)
    expect(connections).toBeGreaterThan(0)
  }
  listener.stop(true)
})
