import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createMetrics } from '#lib/metrics.ts'
import { observePayments } from '../../src/payments/checkout/metrics.ts'
import { observeInvoices } from '../../src/payments/invoices/metrics.ts'
import { observeSettlements } from '../../src/payments/settlements/metrics.ts'
import { observeEvents } from '../../src/payments/webhooks/metrics.ts'
import { openWorld, type World } from '../support/world.ts'
import { invoicesOf } from './invoicing.ts'
import { shopOf } from './shop.ts'

let world: World
beforeAll(async () => void (world = await openWorld()))
afterAll(() => world.close())

test('PAY-30 metrics count payments, overdue invoices, and events of the provider that failed', async () => {
  const metrics = createMetrics()
  for (const observe of [observePayments, observeInvoices, observeEvents, observeSettlements])
    observe(metrics, world.database)
  const valueOf = async (name: string) => {
    const line = (await metrics.text()).split('\n').find((each) => each.startsWith(`${name} `))
    return Number(line?.split(' ')[1] ?? 0)
  }
  const [paid, overdue, failed] = [
    await valueOf('atrium_payments_last_day{status="succeeded"}'),
    await valueOf('atrium_invoices_overdue'),
    await valueOf('atrium_provider_events_open{state="failed"}'),
  ]
  await shopOf(world.ada, world.stranger).sell()
  await invoicesOf(world.ada).issue()
  const late = await invoicesOf(world.ada).issue()
  await world.database.sql.begin(async (sql) => {
    await sql`SET LOCAL session_replication_role = replica`
    await sql`UPDATE payments.invoices SET due_on = current_date - 2 WHERE id = ${late.id}`
  })
  await world.database.sql`
    UPDATE platform.received_webhooks SET state = 'handled', problem = NULL
    WHERE id = (SELECT id FROM platform.received_webhooks WHERE webhook = 'payments.stripe' AND state = 'failed' LIMIT 1)`
  expect(await valueOf('atrium_payments_last_day{status="succeeded"}')).toBe(paid + 1)
  expect(await valueOf('atrium_invoices_overdue')).toBe(overdue + 1)
  expect(await valueOf('atrium_provider_events_open{state="failed"}')).toBe(failed - 1)
  expect(await valueOf('atrium_settlement_batches_last_day{status="completed"}')).toBeGreaterThan(0)
})
