import type { DatabaseHandle } from '#lib/db.ts'
import { newId } from '#lib/ids.ts'

export type ReconciliationResource =
  'reconciliationRuns' | 'differences' | 'differencesToExplain' | 'differencesToRecord' | 'differencesToCheck'

/** A run, and differences of a paid order that it found: both sides agree about them by now. */
export async function addReconciliation(
  { sql }: DatabaseHandle,
  { organizations, paidOrders }: { organizations: string; paidOrders: string },
): Promise<Record<ReconciliationResource, string>> {
  const runId = newId()
  await sql`
    INSERT INTO payments.reconciliation_runs (id, organization_id, account, scope, state, finished_at, window_from,
      window_until, compared, matched, differences)
    VALUES (${runId}, ${organizations}, 'practice', 'shared', 'succeeded', now() - interval '2 hours', now() - interval '35 days', now(), 5, 1, 4)`
  const [booked] = await sql<{ id: string; reference: string }[]>`
    SELECT id, provider_transaction_id AS reference FROM payments.ledger_transactions
    WHERE order_id = ${paidOrders} AND kind = 'capture'`
  const proposal = JSON.stringify([
    {
      correctsId: booked?.id ?? null,
      currency: 'EUR',
      entries: [
        { account: 'clearing', amount: '-10' },
        { account: 'fees', amount: '10' },
      ],
    },
  ])
  const add = async (account: string) => {
    const id = newId()
    await sql`
      INSERT INTO payments.reconciliation_differences (id, organization_id, account, cause, kind, currency, ledger_amount,
        provider_amount, provider_reference, transaction_id, order_id, occurred_at, proposal, last_run_id)
      VALUES (${id}, ${organizations}, ${account}, ${`movement:${booked?.reference}`}, 'amount_differs', 'EUR', 1000, 990,
        ${booked?.reference ?? ''}, ${booked?.id ?? null}, ${paidOrders}, now(), ${proposal}::text::jsonb, ${runId})`
    return id
  }
  return {
    reconciliationRuns: runId,
    differences: await add('practice'),
    differencesToExplain: await add('explained'),
    differencesToRecord: await add('recorded'),
    differencesToCheck: await add('checked'),
  }
}
