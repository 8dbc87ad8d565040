import { z } from 'zod'
import { page } from '#lib/page.ts'
import { Cursor, Limit } from '#lib/paginate.ts'
import { Id } from '#lib/ids.ts'
import { ignoreInvalid } from '#lib/text.ts'
import { ReconciliationPage } from '#views/payments/reconciliation/page.tsx'
import { ReconciliationDifferenceFilter } from '../contract/reconciliation.ts'
import { getReconciliation, getReconciliationRun, listReconciliationDifferences } from './reconciliation.operations.tsx'

const recent = 5
/** Actions lead to each of them. */
const maxOpen = 100

export const reconciliationPage = page({
  path: '/pay/reconciliation',
  permission: 'transactions:read',
  query: z.object({
    /** All differences that aren’t open. */
    show: ignoreInvalid(z.enum(['closed'])),
    runId: ignoreInvalid(Id),
    limit: Limit,
    cursor: Cursor,
  }),
  screen: 'usage payments ledger',
  icon: 'arrow-left-right',
  title: 'Reconciliation',
  keywords: 'differences compare provider stripe ledger balance missing',
  load: async ({ ask, input: { show, runId, limit, cursor }, actor }) => {
    const closed = ReconciliationDifferenceFilter.parse({ status: 'closed' })
    const openQuery = ReconciliationDifferenceFilter.parse({ status: 'open', limit: maxOpen })
    const closedQuery = show
      ? { ...closed, limit, ...(cursor !== undefined && { cursor }) }
      : { ...closed, limit: recent }
    const [overview, open, settled, run] = await Promise.all([
      ask(getReconciliation, {}),
      show ? null : ask(listReconciliationDifferences, openQuery),
      ask(listReconciliationDifferences, closedQuery),
      runId === undefined ? null : ask(getReconciliationRun, { id: runId }),
    ])
    return { overview, open, openQuery, settled, closedQuery, run, organizationId: actor.organization?.id }
  },
  view: (props) => <ReconciliationPage {...props} />,
})
