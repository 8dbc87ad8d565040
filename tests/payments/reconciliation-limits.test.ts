import { afterAll, beforeAll, expect, test } from 'bun:test'
import { reconcile } from '../../src/payments/reconciliation/jobs.ts'
import { newSecretKey } from '../gateway/practice-payments-client.ts'
import { openWorld } from '../support/world.ts'
import { openReconciling, reconcilingOf } from './reconciling.ts'
import { shopOf } from './shop.ts'

let own: Awaited<ReturnType<typeof openReconciling>>

beforeAll(async () => {
  own = await openReconciling()
})
afterAll(async () => {
  await own.world.close()
  await own.payments.stop()
})

/** A run for which the provider lists movements without end; `after` the run’s end only, or from the beginning. */
async function runEndless(isLate: boolean) {
  const { id } = await own.reconciling.start()
  await own.world.database.sql`
    UPDATE payments.reconciliation_runs SET window_until = now() + interval '1 minute' WHERE id = ${id}`
  const { provided, database } = own.world
  const { listBalanceTransactions } = provided.gateway.payments
  let reads = 0
  const list: typeof listBalanceTransactions = async (request) => {
    const isEndless = request.limit === 100 && isLate === (request.createdBefore === undefined)
    if (!isEndless) return listBalanceTransactions(request)
    reads += 1
    const { organizationId } = request
    const [movement] = (await listBalanceTransactions({ organizationId, limit: 1 })).items
    if (!movement) throw new Error('The account has no movement')
    const items = Array.from({ length: 100 }, (_, at) => ({
      ...movement,
      id: `txn_${reads}_${at}`,
      amount: 0,
      net: 0,
      fee: 0,
    }))
    return { items, nextCursor: 'same' }
  }
  const gateway = { ...provided.gateway, payments: { ...provided.gateway.payments, listBalanceTransactions: list } }
  const input = { runId: id, organizationId: own.organizationId }
  await reconcile
    .run({ ...provided, gateway, database, now: () => new Date(Date.now() + 3_600_000), input })
    .catch((error: unknown) => expect(error).toMatchObject({ code: 'too_many_movements' }))
  return { reads, run: await own.reconciling.read(id) }
}

test('PAY-32 provider whose lists don’t end is read for some pages only, and the run fails or compares no balances', async () => {
  await own.shop.sell()
  const late = await runEndless(true)
  expect(late.reads).toBeLessThan(30)
  expect(late.run).toMatchObject({ state: 'succeeded', balances: null })
  const first = await runEndless(false)
  expect(first.reads).toBe(2)
  expect(first.run).toMatchObject({ state: 'failed', error: { code: 'too_many_movements' } })
})

test('PAY-32 difference of an account whose key was replaced can’t be checked or recorded at another one', async () => {
  const topup = await own.stripe.topups.create({ amount: 5_000, currency: 'eur' })
  await own.reconciling.run(3 * 86_400_000)
  const found = (await own.reconciling.open()).find(({ providerAmount }) => providerAmount === 5_000)
  expect([topup.amount, found?.kind]).toEqual([5_000, 'missing_in_ledger'])
  const draft = { label: 'other', baseUrl: own.payments.url, secret: { apiKey: newSecretKey() } }
  await own.rita.fetchJson('PUT /api/credentials/stripe', draft)
  for (const action of ['check', 'record'])
    expect(
      await own.reconciling.refusal(`POST /api/pay/reconciliation/differences/${found?.id}/${action}`),
    ).toMatchObject({
      status: 409,
      problem: { code: 'provider_account_changed' },
    })
  expect(await own.reconciling.difference(found?.id ?? '')).toMatchObject({ status: 'open' })
})

test('PAY-32 shared account is compared once an hour on request', async () => {
  const world = await openWorld()
  const shops = [shopOf(world.ada, world.stranger), shopOf(world.mallory, world.stranger)]
  for (const each of shops) await each.sell()
  const reconciling = reconcilingOf(world)
  const run = await reconciling.run(0)
  expect(run).toMatchObject({ state: 'succeeded', scope: 'shared' })
  expect(await reconciling.refusal('POST /api/pay/reconciliation/runs')).toMatchObject({
    status: 429,
    problem: { code: 'reconciliation_recent' },
  })
  await world.database.sql`
    UPDATE payments.reconciliation_runs SET finished_at = now() - interval '61 minutes' WHERE id = ${run.id}`
  await reconciling.start()
  await world.close()
})
