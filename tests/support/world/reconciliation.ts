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
  const [captured, refunded] = await sql<{ id: string; reference: string; account: string }[]>`
    SELECT booked.id, booked.provider_transaction_id AS reference, payment.account_key AS account
    FROM payments.ledger_transactions AS booked JOIN payments.payments AS payment ON payment.order_id = booked.order_id
    WHERE booked.order_id = ${paidOrders} AND booked.provider_transaction_id IS NOT NULL ORDER BY booked.kind`
  const proposal = JSON.stringify([
    {
      correctsId: captured?.id ?? null,
      currency: 'EUR',
      entries: [
        { account: 'clearing', amount: '-10' },
        { account: 'fees', amount: '10' },
      ],
    },
  ])
  const add = async (account = 'another', booked = captured) => {
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
    differences: await add(),
    differencesToExplain: await add('a third'),
    differencesToRecord: await add(captured?.account),
    differencesToCheck: await add(refunded?.account, refunded),
  }
}
