import { reconcile } from '../../src/payments/reconciliation/jobs.ts'
import { reconciliationModule } from '../../src/payments/reconciliation/index.ts'
import { Problem } from '#lib/errors.ts'
import { newSecretKey, openPayments } from '../gateway/practice-payments-client.ts'
import { bearer, openWorld, type World } from '../support/world.ts'
import { callerOf, type Caller } from '../support/world/callers.ts'
import { signUp } from '../support/world/people.ts'
import { shopOf } from './shop.ts'

export interface ShownDifference {
  id: string
  kind: string
  status: string
  title: string
  currency: string | null
  ledgerAmount: number | null
  providerAmount: number | null
  ledgerFee: number | null
  providerFee: number | null
  ledgerState: string | null
  providerState: string | null
  providerReference: string | null
  orderId: string | null
  proposal: { correctsId: string | null; currency: string; entries: { account: string; amount: number }[] }[]
  resolvedBy: string | null
  resolvedByName: string | null
  note: string | null
  can: Record<string, boolean>
}

export interface ShownRun {
  id: string
  state: string
  scope: string | null
  compared: number
  matched: number
  inTransit: number
  differences: number
  error: { code: string; message: string } | null
  balances: { currency: string; ledger: number; provider: number; unexplained: number }[] | null
}

interface Refused {
  status: number
  problem: { code: string }
}

const hourMs = 3_600_000

/** Comparisons an hour later, when nothing is in transit any more. */
export function reconcilingOf(
  world: World,
  caller: Caller = world.ada,
  organizationId = world.ada.things.organizations,
) {
  const at = (laterMs: number) => () => new Date(Date.now() + laterMs)
  /** @param pages After so many of the balance, the provider doesn’t respond any more */
  const runJob = async (runId: string, laterMs: number, pages = Infinity) => {
    const input = { runId, organizationId }
    const { gateway } = world.provided
    const { listBalanceTransactions } = gateway.payments
    let left = pages
    const list: typeof listBalanceTransactions = (request) =>
      left-- > 0
        ? listBalanceTransactions(request)
        : Promise.reject(new Problem(502, 'provider_failed', 'The provider responded with 503.'))
    const failing = { ...gateway, payments: { ...gateway.payments, listBalanceTransactions: list } }
    await reconcile.run({ ...world.provided, gateway: failing, database: world.database, now: at(laterMs), input })
  }
  const read = (id: string) => caller.fetchJson<ShownRun>(`GET /api/pay/reconciliation/runs/${id}`)
  /** Its window includes what happened in this second, whose movements are otherwise for the next run. */
  const start = async (): Promise<ShownRun> => {
    const run = await caller.fetchJson<ShownRun>('POST /api/pay/reconciliation/runs', {}, 202)
    await world.database.sql`
      UPDATE payments.reconciliation_runs SET window_until = now() + interval '1 minute' WHERE id = ${run.id}`
    return run
  }
  const act = (id: string, action: string, body: object = {}) =>
    caller.fetchJson<ShownDifference>(`POST /api/pay/reconciliation/differences/${id}/${action}`, body)
  return {
    start,
    runJob,
    read,
    act,
    /** As a person starts it and a worker does it. */
    run: async (laterMs = hourMs) => {
      const { id } = await start()
      await runJob(id, laterMs)
      return read(id)
    },
    refusal: async (route: string, body: object = {}): Promise<Refused> => {
      const response = await caller.fetch(route, body)
      return { status: response.status, problem: await response.json() }
    },
    open: async () =>
      (
        await caller.fetchJson<{ items: ShownDifference[] }>(
          'GET /api/pay/reconciliation/differences?status=open&limit=100',
        )
      ).items,
    difference: (id: string) => caller.fetchJson<ShownDifference>(`GET /api/pay/reconciliation/differences/${id}`),
    actions: async () => {
      const rows = await world.database.sql<{ title: string }[]>`
        SELECT title FROM platform.raised_actions
        WHERE cause LIKE 'reconciliation:%' AND organization_id = ${organizationId} AND resolved_at IS NULL ORDER BY id`
      return rows.map(({ title }) => title)
    },
    exhaust: async (runId: string) => {
      const input = { runId, organizationId }
      await reconcile.onRetriesExhausted?.({ ...world.provided, database: world.database, now: at(0), input })
    },
    plan: (now: Date) =>
      reconciliationModule.jobs
        ?.find(({ name }) => name === 'payments.plan-reconciliations')
        ?.run({ ...world.provided, database: world.database, now: () => now, input: {} }),
  }
}

export type Reconciling = ReturnType<typeof reconcilingOf>

/** An organization whose only account at the provider is its own. */
export async function openReconciling(env: Record<string, string> = {}) {
  const payments = await openPayments()
  const world = await openWorld({ env: { PAYMENTS_URL: payments.url, ...env } })
  const { accessToken, organization } = await signUp(world.handle, { name: 'Rita', organizationName: 'Roastery' })
  const rita = callerOf(world.handle, bearer(accessToken))
  const organizationId = organization?.id ?? ''
  const apiKey = newSecretKey()
  await rita.fetchJson('PUT /api/credentials/stripe', { label: 'main', baseUrl: payments.url, secret: { apiKey } })
  const customer: Caller = {
    credential: {},
    fetch: (route, body, headers) =>
      payments.send(route.replace('POST ', ''), { method: 'POST', body: String(body), headers, redirect: 'manual' }),
    fetchJson: () => Promise.reject(new Error('Customers only send forms')),
  }
  const shop = shopOf(rita, customer)
  return {
    world,
    payments,
    rita,
    organizationId,
    shop,
    stripe: payments.stripeOf(apiKey),
    reconciling: reconcilingOf(world, rita, organizationId),
    referenceOf: async (orderId: string, kind: string): Promise<string> => {
      const { items } = await rita.fetchJson<{ items: { kind: string; providerReference: string }[] }>(
        `GET /api/ledger?orderId=${orderId}&limit=100`,
      )
      return items.find((each) => each.kind === kind)?.providerReference ?? ''
    },
    close: async () => {
      await world.close()
      await payments.stop()
    },
  }
}

export type OwnReconciling = Awaited<ReturnType<typeof openReconciling>>
