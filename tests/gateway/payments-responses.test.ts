import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openWorld, type World } from '../support/world.ts'

const mebibyte = 1024 * 1024

let world: World
let sent = 0
let held: (() => void)[] = []

/** A base URL of a tenant: its balance never ends, and other reads are never answered. */
const server = Bun.serve({
  port: 0,
  idleTimeout: 0,
  fetch: ({ url }) => {
    if (!url.includes('/balance')) return new Promise<Response>((done) => held.push(() => done(new Response('{}'))))
    const chunk = new Uint8Array(mebibyte).fill(32)
    const body = new ReadableStream({
      pull: (controller) => {
        sent += 1
        controller.enqueue(chunk)
      },
    })
    return new Response(body, { headers: { 'content-type': 'application/json' } })
  },
})

beforeAll(async () => {
  world = await openWorld({ env: { AI_CONNECTIONS: '8', ALLOW_PRIVATE_NETWORK: 'true' } })
  const own = { label: 'main', baseUrl: server.url.origin, secret: { apiKey: 'sk_live_of_acme' } }
  await world.ada.fetchJson('PUT /api/credentials/stripe', own)
  await world.mallory.fetchJson('PUT /api/credentials/stripe', own)
})
afterAll(async () => {
  for (const end of held) end()
  await world.close()
  await server.stop(true)
})

test('GTW-42 SEC response without end of an organization’s own address is 502 after 8 MiB, and isn’t read on', async () => {
  const response = await world.payments.fetch('GET /platform/payments/balance')
  expect([response.status, await response.json()]).toMatchObject([
    502,
    { code: 'provider_failed', detail: 'Stripe’s response has more than 8388608 bytes. Try again in a moment.' },
  ])
  // With what the connection buffers.
  expect(sent).toBeLessThan(24)
  const after = sent
  await Bun.sleep(200)
  expect(sent - after).toBeLessThanOrEqual(1)
})

test('GTW-42 SEC address that never answers holds at most an organization’s share of the connections', async () => {
  const open = (organization: string) =>
    world.payments.fetch('GET /platform/payments/customers/cus_1', undefined, { 'x-organization-id': organization })
  const all = Array.from({ length: 6 }, () => open(world.ada.things.organizations))
  const refused = await Promise.race(all)
  expect([refused.status, await refused.json()]).toMatchObject([
    502,
    { code: 'provider_failed', detail: expect.stringContaining('nothing was done') },
  ])
  while (held.length < 4) await Bun.sleep(10)
  void open(world.mallory.things.organizations).catch(() => {})
  while (held.length < 5) await Bun.sleep(10)
  for (const end of held) end()
  await Promise.all(all)
  expect(held).toHaveLength(5)
})
