import { z } from 'zod'
import { openDatabase } from '#lib/db.ts'
import { killRest, run } from '../boot/program.ts'
import { freshDatabase } from '../support/database.ts'
import { serve } from '../support/served.ts'

// Measures how many `POST /api/orders` with a bearer token the server answers per second, compared to a bare `Bun.serve`
// that inserts the same rows in one transaction. Rounds alternate so that both run under the same load. Fails below half.

const [rounds, roundMs, inFlight, bound] = [7, 2000, 16, 0.5]

const database = await freshDatabase()
const real = await serve({ databaseUrl: database.url, env: { LOG_LEVEL: 'info' } })
const seller = await signUp(real.url)
const draft = JSON.stringify({ currency: 'EUR', lines: [{ name: 'Latte', quantity: 2, unitAmount: 350 }] })
await order(`${real.url}/api/orders`)
const { sql, close } = openDatabase(database.url, 1)
const [merchant] = await sql<{ id: string }[]>`SELECT id FROM payments.merchants`
const bare = run([process.execPath, 'tests/bench/servers/bare-orders.ts'], {
  env: {
    DATABASE_URL: database.url,
    ORGANIZATION: seller.organization,
    MERCHANT: merchant?.id ?? '',
    PERSON: seller.person,
  },
})
const [bareUrl] = await bare.until(/http:\S+/)
await sameRows()

const ratios: number[] = []
for (let round = 0; round <= rounds; round++) {
  const ofBare = await perSecond(bareUrl)
  const ofReal = await perSecond(`${real.url}/api/orders`)
  if (round > 0) ratios.push(ofReal / ofBare)
  console.log(`${round === 0 ? 'warm-up' : `round ${round}`}: ${ofReal.toFixed(0)}/s of ${ofBare.toFixed(0)}/s`)
}
ratios.sort((a, b) => a - b)
const median = ratios[Math.floor(rounds / 2)] ?? 0
console.log(
  `orders: ${median.toFixed(2)} of a bare handler (rounds ${ratios[0]?.toFixed(2)} to ${ratios.at(-1)?.toFixed(2)})`,
)
await close()
await killRest()
await database.drop()
process.exit(median < bound ? 1 : 0)

async function order(url: string): Promise<string> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${seller.token}`,
      accept: 'application/json',
      'content-type': 'application/json',
    },
    body: draft,
  })
  const text = await response.text()
  if (response.status !== 201) throw new Error(`${url} answered ${response.status}: ${text}`)
  return text
}

/** Requests per second of parallel callers that each wait for their response. */
async function perSecond(url: string): Promise<number> {
  const started = performance.now()
  let answered = 0
  const caller = async () => {
    while (performance.now() - started < roundMs) {
      await order(url)
      answered += 1
    }
  }
  await Promise.all(Array.from({ length: inFlight }, caller))
  return answered / ((performance.now() - started) / 1000)
}

/** @throws unless both insert as many rows */
async function sameRows(): Promise<void> {
  const count = async () => {
    const [row] = await sql<{ orders: number; lines: number; events: number; audits: number }[]>`
      SELECT (SELECT count(*)::int FROM payments.orders) AS orders,
        (SELECT count(*)::int FROM payments.order_lines) AS lines,
        (SELECT count(*)::int FROM payments.order_events) AS events,
        (SELECT count(*)::int FROM platform.audit_log WHERE operation = 'createOrder') AS audits`
    return row
  }
  const added = async (url: string) => {
    const before = await count()
    await order(url)
    const after = await count()
    if (!before || !after) throw new Error('The rows were not counted')
    return [
      after.orders - before.orders,
      after.lines - before.lines,
      after.events - before.events,
      after.audits - before.audits,
    ]
  }
  const [mine, theirs] = [await added(`${real.url}/api/orders`), await added(bareUrl)]
  if (!Bun.deepEquals(mine, [1, 1, 1, 1]) || !Bun.deepEquals(mine, theirs))
    throw new Error(`The two servers insert different rows: ${mine.join()} and ${theirs.join()}`)
}

async function signUp(url: string): Promise<{ token: string; organization: string; person: string }> {
  const account = { email: 'ada@example.com', password: 'correct horse battery', name: 'Ada' }
  const response = await fetch(`${url}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...account, createOrganization: true, organizationName: 'Acme' }),
  })
  const Registered = z.object({
    accessToken: z.string(),
    user: z.object({ id: z.string() }),
    organization: z.object({ id: z.string() }),
  })
  const { accessToken, user, organization } = Registered.parse(await response.json())
  return { token: accessToken, organization: organization.id, person: user.id }
}
