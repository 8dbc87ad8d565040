import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openDatabase, type DatabaseHandle } from '#lib/db.ts'
import { killRest } from '../boot/program.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { newPublisher } from '../support/publisher.ts'
import { serve, type Served } from '../support/served.ts'
import { scaleTime } from '../support/time-scale.ts'

// Three servers on one database, two of which are killed while they issue invoices.

let fresh: TestDatabase
let database: DatabaseHandle

beforeAll(async () => {
  fresh = await freshDatabase()
  database = openDatabase(fresh.url, 3)
})
afterAll(async () => {
  await killRest()
  await database.close()
  await fresh.drop()
})

const count = 500
const callers = 20
const draft = { currency: 'EUR', lines: [{ name: 'Latte', quantity: 2, unitAmount: 350, taxRate: '19' }], issue: true }

/** Servers that are killed before these invoices are requested. */
const kills = new Map([
  [150, 2],
  [320, 1],
])

test(
  'PAY-30 500 invoices of 20 callers on three servers that are killed have the numbers 1 to 500, none twice',
  async () => {
    const start = () => serve({ databaseUrl: fresh.url, env: { RATE_LIMIT_WRITES: '0' } })
    const servers: Served[] = [await start()]
    servers.push(...(await Promise.all([start(), start()])))
    const { token, organizationId } = await newPublisher(servers[0]?.url ?? '')
    await issue(servers[0]?.url ?? '', token, 0)
    const started = performance.now()
    let next = 1
    const numbers = new Set<string>()
    const restarts: Promise<void>[] = []
    const work = async (caller: number): Promise<void> => {
      while (next < count) {
        const at = next++
        const killed = kills.get(at)
        if (killed !== undefined) {
          servers[killed]?.kill('SIGKILL')
          restarts.push(start().then((server) => void (servers[killed] = server)))
        }
        for (let attempt = 0; ; attempt += 1) {
          const url = servers[(caller + attempt) % servers.length]?.url ?? ''
          const number = await issue(url, token, at)
          if (number !== null) {
            numbers.add(number)
            break
          }
          await Bun.sleep(50)
        }
      }
    }
    await Promise.all(Array.from({ length: callers }, (_, caller) => work(caller)))
    const seconds = (performance.now() - started) / 1_000
    const rows = await database.sql<{ sequence: number }[]>`
      SELECT sequence FROM payments.invoices WHERE organization_id = ${organizationId} ORDER BY sequence`
    expect(rows.map(({ sequence }) => sequence)).toEqual(Array.from({ length: count }, (_, at) => at + 1))
    expect(numbers.size).toBe(count - 1)
    expect(seconds).toBeLessThan(scaleTime(30_000) / 1_000)
    // The invoices can be issued before these are ready.
    await Promise.all(restarts)
    for (const { kill } of servers) kill('SIGKILL')
  },
  scaleTime(60_000),
)

/** The number, or null when it isn’t known whether it was issued: the same key asks again. */
async function issue(url: string, token: string, at: number): Promise<string | null> {
  const response = await fetch(`${url}/api/invoices`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
      'idempotency-key': `invoice-${at}`,
    },
    body: JSON.stringify(draft),
    signal: AbortSignal.timeout(scaleTime(10_000)),
  }).catch(() => null)
  if (response?.status !== 201) return null
  const { number }: { number: string } = await response.json()
  return number
}
