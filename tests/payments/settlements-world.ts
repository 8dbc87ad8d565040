import { serviceTokens } from '#identity'
import { newId } from '#lib/ids.ts'
import { Webhook } from 'standardwebhooks'
import { resumeSettlements } from '../../src/payments/settlements/resume.ts'
import { settlementsModule } from '../../src/payments/settlements/index.ts'
import { openPayments } from '../gateway/practice-payments-client.ts'
import { bearer, openWorld, type Caller, type World } from '../support/world.ts'
import { callerOf } from '../support/world/callers.ts'

export interface ShownItem {
  reference: string
  status: string
  failureCode: string | null
  transferId: string | null
  payoutId: string | null
  reversalId: string | null
  returnedAmount: number
}

export interface ShownCallback {
  id: string
  sequence: number
  state: string
  attempts: number
  lastStatus: number | null
  log: { number: number; status: number | null; problem: string | null }[]
}

export interface ShownBatch {
  id: string
  batchId: string
  status: string
  failure: string | null
  missingAmount: number | null
  repeats: number
  confirmedAlone: string | null
  callbacksStoppedAt: string | null
  totals: Record<string, { items: number; amount: number }>
  callbacks: ShownCallback[]
  can: Record<string, boolean>
}

export interface CallbackBody {
  type: string
  timestamp: string
  data: {
    batchId: string
    sequence: number
    status: string
    items: { reference: string; status: string; returnedAmount?: number }[]
  }
}

/** A server that receives callbacks. */
export function receiveCallbacks() {
  const received: { body: string; headers: Record<string, string> }[] = []
  const statuses: number[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      received.push({ body: await request.text(), headers: Object.fromEntries(request.headers) })
      return new Response(null, { status: statuses.shift() ?? 204 })
    },
  })
  return {
    url: `${server.url.origin}/callbacks`,
    received,
    bodies: () => received.map(({ body }): CallbackBody => JSON.parse(body)),
    /** Of the next requests; then 204. */
    answer: (...next: number[]) => void statuses.push(...next),
    verify: (at: number, secret: string) => {
      const one = received[at]
      return new Webhook(secret).verify(one?.body ?? '', one?.headers ?? {})
    },
    stop: () => server.stop(true),
  }
}

export type Receiver = ReturnType<typeof receiveCallbacks>

/** The world with a practice provider and the jobs of settlements. */
export async function openSettlements(env: Record<string, string> = {}) {
  const payments = await openPayments()
  const world = await openWorld({
    env: {
      PAYMENTS_URL: payments.url,
      PAYMENTS_SWEEP_S: '0.3,0.5,0.5',
      PAYMENTS_TIMEOUT_MS: '2500',
      ...env,
    },
  })
  const { queue } = world.provided
  const { db } = world.database
  await queue.work(settlementsModule.jobs ?? [], world.provided, () => new Date())
  const clock = setInterval(() => void queue.enqueue(db, resumeSettlements, {}).catch(() => {}), 300)
  const stripe = payments.stripeOf('sk_test_practice')
  return {
    world,
    payments,
    stripe,
    fund: (amount: number, currency = 'eur') => stripe.topups.create({ amount, currency }),
    /** Batches above need a second person; null for none. */
    setCeiling: (organizationId: string, ceiling: number | null) => {
      const ceilings = JSON.stringify(ceiling === null ? {} : { EUR: ceiling })
      return world.database.sql`
        INSERT INTO payments.settings (organization_id, batch_ceilings) VALUES (${organizationId}, ${ceilings}::text::jsonb)
        ON CONFLICT (organization_id) DO UPDATE SET batch_ceilings = excluded.batch_ceilings`
    },
    /** A service as a caller of payments. */
    serviceCaller: async (slug: string, organizationId: string): Promise<Caller> => {
      await world.database.sql`
        INSERT INTO identity.services (slug, name, description) VALUES (${slug}, ${slug}, 'Settlements')
        ON CONFLICT DO NOTHING`
      const store = { db, secrets: world.provided.secrets, now: () => new Date() }
      const token = await serviceTokens(store, slug)('platform-pay')
      return callerOf(world.handle, { ...bearer(token), 'x-organization-id': organizationId })
    },
    close: async () => {
      clearInterval(clock)
      await world.close()
      await payments.stop()
    },
  }
}

export type Settlements = Awaited<ReturnType<typeof openSettlements>>

export const newAccount = () => `acct_${newId().replaceAll('-', '').slice(-16)}`

interface Draft {
  batchId: string
  currency: string
  callbackUrl: string
  controlSum: number
  items: { reference: string; recipient: string; amount: number }[]
}

/** A batch with items of these amounts, each to another recipient. */
export function batchOf(callbackUrl: string, amounts: readonly number[], more: Partial<Draft> = {}): Draft {
  return {
    batchId: `b-${newId().slice(-12)}`,
    currency: 'EUR',
    callbackUrl,
    controlSum: amounts.reduce((sum, amount) => sum + amount, 0),
    items: amounts.map((amount, at) => ({ reference: `i-${at + 1}`, recipient: newAccount(), amount })),
    ...more,
  }
}

export const read = ({ fetchJson }: Caller, batchId: string): Promise<ShownBatch> =>
  fetchJson(`GET /api/settlements/${batchId}`)

export const itemsOf = async ({ fetchJson }: Caller, batchId: string): Promise<ShownItem[]> =>
  (await fetchJson<{ items: ShownItem[] }>(`GET /api/settlements/${batchId}/items?limit=100`)).items

/** Waits until the result is as expected. */
export async function until<Result>(load: () => Promise<Result>, isDone: (result: Result) => boolean): Promise<Result> {
  const deadline = performance.now() + 60_000
  for (;;) {
    const result = await load()
    if (isDone(result)) return result
    if (performance.now() > deadline) throw new Error(`Still ${JSON.stringify(result)}`)
    await Bun.sleep(50)
  }
}

export const untilStatus = (caller: Caller, batchId: string, status: string): Promise<ShownBatch> =>
  until(
    () => read(caller, batchId),
    (batch) => batch.status === status,
  )

/** Its open actions, by cause. */
export const actionsOf = async ({ database }: World, settlementId: string): Promise<string[]> => {
  const rows = await database.sql<{ cause: string }[]>`
    SELECT cause FROM platform.raised_actions
    WHERE cause LIKE ${`settlement-%:${settlementId}`} AND resolved_at IS NULL ORDER BY 1`
  return rows.map(({ cause }) => cause.split(':')[0] ?? '')
}

/** What the ledger says of accounts in EUR. */
export async function ledgerOf({ database }: World, organizationId: string): Promise<Record<string, number>> {
  const rows = await database.sql<{ account: string; sum: string }[]>`
    SELECT account, sum(amount) AS sum FROM payments.ledger_entries
    WHERE organization_id = ${organizationId} AND currency = 'EUR' GROUP BY account`
  return Object.fromEntries(rows.map(({ account, sum }) => [account, Number(sum)]))
}
