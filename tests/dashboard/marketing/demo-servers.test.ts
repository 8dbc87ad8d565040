import { afterAll, beforeAll, expect, test } from 'bun:test'
import postgres from 'postgres'
import { killRest } from '../../boot/program.ts'
import { freshDatabase, type TestDatabase } from '../../support/database.ts'
import { serve, type Served } from '../../support/served.ts'

// Two server processes share a database, so that nothing within a process can decide who gets a time.

let database: TestDatabase
let servers: Served[]

beforeAll(async () => {
  database = await freshDatabase()
  const env = { TRUSTED_PROXIES: '1' }
  servers = [await serve({ databaseUrl: database.url, env }), await serve({ databaseUrl: database.url, env })]
})
afterAll(async () => {
  await killRest()
  await database.drop()
})

interface Slot {
  startsAt: string
  available: boolean
}

const dayIn = (count: number) => new Date(Date.now() + count * 24 * 60 * 60_000).toISOString().slice(0, 10)

async function freeTimes(server: Served | undefined): Promise<string[]> {
  const response = await fetch(`${server?.url}/api/demo-slots?from=${dayIn(2)}&to=${dayIn(20)}`)
  const { items }: { items: Slot[] } = await response.json()
  return items.flatMap(({ available, startsAt }) => (available ? [startsAt] : []))
}

/** Of the ten people who want one time, five use each server. */
async function book(at: number, startsAt: string) {
  const server = servers[Math.floor(at / 20) % 2]
  const response = await fetch(`${server?.url}/api/demo-bookings`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': '192.0.2.1' },
    body: JSON.stringify({ email: `person-${at}@example.com`, name: 'Cleo', startsAt }),
  })
  const body: { startsAt?: string; code?: string; detail?: string; nextSlots?: Slot[] } = await response.json()
  return { status: response.status, ...body }
}

test('DSH-30 200 people book 20 times at two servers at once: each time has one person, and 180 learn the next free ones', async () => {
  const wanted = (await freeTimes(servers[0])).slice(0, 20)
  expect(wanted).toHaveLength(20)
  const all = await Promise.all(Array.from({ length: 200 }, (_, at) => book(at, wanted[at % 20] ?? '')))
  const booked = all.filter(({ status }) => status === 201)
  expect(booked.map(({ startsAt }) => startsAt ?? '').sort()).toEqual(wanted.toSorted())
  const late = all.filter(({ status }) => status === 409)
  expect(late).toHaveLength(180)
  const free = await freeTimes(servers[1])
  expect(wanted.filter((startsAt) => free.includes(startsAt))).toEqual([])
  for (const { code, detail, nextSlots = [] } of late) {
    expect({ code, detail }).toEqual({ code: 'slot_taken', detail: expect.stringContaining('choose another time') })
    expect(nextSlots).toHaveLength(5)
  }
  // Those who came last learned times that are free afterwards too.
  expect(late.some(({ nextSlots = [] }) => nextSlots.every(({ startsAt }) => free.includes(startsAt)))).toBe(true)
  const sql = postgres(database.url, { max: 1 })
  const [stored] = await sql`
    SELECT count(*)::int AS rows, count(DISTINCT starts_at)::int AS times,
      (SELECT count(*)::int FROM platform.mails WHERE subject = 'Your Atrium demo is booked') AS mails,
      (SELECT count(*)::int FROM dashboard.inquiries) AS inquiries
    FROM dashboard.demo_bookings WHERE state = 'booked'`
  await sql.end()
  expect(stored).toEqual({ rows: 20, times: 20, mails: 20, inquiries: 20 })
})
