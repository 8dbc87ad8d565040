import type { ActionButton } from '#lib/schema.ts'
import type { reconciliationDifferences } from '../schema.ts'

type DifferenceRow = typeof reconciliationDifferences.$inferSelect

/** Reading something at the provider can change it. */
export const isCheckable = ({ kind }: Pick<DifferenceRow, 'kind'>): boolean =>
  kind !== 'balance_differs' && kind !== 'run_failed'

/** What can be done about an open difference, the most helpful first. */
export function buttonsOf({ id, kind, proposal }: DifferenceRow, href: string): ActionButton[] {
  const path = `/api/pay/reconciliation/differences/${id}`
  const check: ActionButton = { label: 'Check now', method: 'POST', href: `${path}/check`, style: 'primary' }
  const record: ActionButton = {
    label: 'Record',
    method: 'POST',
    href: `${path}/record`,
    confirm: 'The ledger books the difference. A correction can take it back later.',
  }
  const explain: ActionButton = {
    label: 'Explain',
    method: 'POST',
    href: `${path}/explain`,
    fields: [{ name: 'note', label: 'Why both sides differ', type: 'text' }],
  }
  return [
    ...(isCheckable({ kind }) ? [check] : []),
    ...(proposal.length > 0 ? [record] : []),
    ...(kind === 'run_failed' ? [] : [explain]),
    { label: 'Review', method: 'GET', href },
  ]
}
