import { afterAll, beforeEach, expect, test } from 'bun:test'
import { createClient } from '#lib/seed-client.ts'
import { seedSubscription } from '../../../src/dashboard/billing/seed.ts'

/** A server whose payments arrive after so many reads of the plan. */
let reads = 0
let arrivesAfter = 0
const requests: string[] = []
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: ({ method, url }) => {
    const { pathname, origin } = new URL(url)
    requests.push(`${method} ${pathname}`)
    if (pathname === '/api/auth/me') return Response.json({ organization: { id: 'demo' } })
    if (pathname.endsWith('/billing/checkout')) return Response.json({ url: `${origin}/practice/pay` })
    if (pathname === '/practice/pay') return new Response('<p>Paid</p>')
    return Response.json({ seats: { paid: reads++ < arrivesAfter ? 1 : 12 } })
  },
})
const owner = createClient(`http://127.0.0.1:${server.port}`)

beforeEach(() => {
  reads = 0
  requests.length = 0
})
afterAll(() => server.stop(true))

test('DSH-32 seed pays on the page of the provider and waits until the seats are there', async () => {
  arrivesAfter = 2
  await seedSubscription(owner)
  expect(requests).toEqual([
    'GET /api/auth/me',
    'POST /api/organizations/demo/billing/checkout',
    'POST /practice/pay',
    ...Array.from({ length: 3 }, () => 'GET /api/organizations/demo/billing'),
  ])
})

test('DSH-32 seed fails with the reason when a payment that was made doesn’t arrive', async () => {
  arrivesAfter = Infinity
  await expect(seedSubscription(owner, 300)).rejects.toThrow(
    'The payment for 12 seats was made, but they didn’t arrive within 0.3 s.',
  )
  expect(requests.filter((request) => request.endsWith('/billing'))).toHaveLength(3)
})
