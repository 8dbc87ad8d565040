import { z } from 'zod'
import { page } from '#lib/page.ts'
import { Cursor, Limit } from '#lib/paginate.ts'
import { ignoreInvalid, plainText } from '#lib/text.ts'
import { Day, TimeZone } from '#lib/time.ts'
import { SettlementCallbacks, SettlementView } from '#views/payments/settlements/details.tsx'
import { Items } from '#views/payments/settlements/items.tsx'
import { SettlementsPage } from '#views/payments/settlements/page.tsx'
import { SecretsDialog } from '#views/payments/settlements/secrets.tsx'
import { BatchId, BatchStatus, ItemStatus, SettlementFilter, type SettlementDetails } from '../contract/settlements.ts'
import { getSettlement, listSettlementItems, listSettlements } from './settlements.operations.tsx'

const firstRows = 20

export const settlementsPage = page({
  path: '/pay/settlements',
  permission: 'transactions:read',
  query: z.object({
    status: ignoreInvalid(BatchStatus),
    currency: ignoreInvalid(SettlementFilter.shape.currency),
    q: ignoreInvalid(plainText(100).trim().min(1)),
    from: ignoreInvalid(Day),
    to: ignoreInvalid(Day),
    timeZone: ignoreInvalid(TimeZone),
    limit: Limit.catch(firstRows),
    cursor: Cursor,
  }),
  screen: 'payments',
  icon: 'landmark',
  title: 'Settlements',
  keywords: 'batches payouts transfers callbacks',
  load: async ({ ask, input, actor }) => ({
    list: await ask(listSettlements, input),
    query: input,
    organizationId: actor.organization?.id,
  }),
  view: (props) => <SettlementsPage {...props} />,
})

export const settlementPage = page({
  path: '/pay/settlements/:batchId',
  permission: 'transactions:read',
  query: z.object({
    batchId: BatchId,
    status: ignoreInvalid(ItemStatus),
    limit: Limit.catch(firstRows),
    cursor: Cursor,
  }),
  screen: 'payments',
  title: ({ batch }: { batch: SettlementDetails }) => `Batch ${batch.batchId}`,
  load: async ({ ask, input, actor }) => {
    const [batch, items] = await Promise.all([
      ask(getSettlement, { batchId: input.batchId }),
      ask(listSettlementItems, input),
    ])
    return { batch, items, query: input, organizationId: actor.organization?.id }
  },
  view: ({ batch, items, query, organizationId }) => (
    <>
      <SettlementView batch={batch} organizationId={organizationId} />
      <Items items={items} query={query} organizationId={organizationId} />
      <SettlementCallbacks batch={batch} organizationId={organizationId} />
      {batch.can.replay ? <SecretsDialog /> : null}
    </>
  ),
})
