import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { page } from '#lib/page.ts'
import { Cursor, Limit } from '#lib/paginate.ts'
import { ignoreInvalid, plainText } from '#lib/text.ts'
import { Day, TimeZone } from '#lib/time.ts'
import { RefundsPage } from '#views/payments/refunds/page.tsx'
import { RefundView } from '#views/payments/refunds/refund.tsx'
import { RefundFilter, RefundReason, RefundStatus, type RefundDetails } from '../contract/refunds.ts'
import { getRefund, getRefundCounts, listRefunds } from './refunds.operations.tsx'

const firstRows = 20

export const refundsPage = page({
  path: '/pay/refunds',
  permission: 'payments:read',
  query: z.object({
    status: ignoreInvalid(RefundStatus),
    reason: ignoreInvalid(RefundReason),
    currency: ignoreInvalid(RefundFilter.shape.currency),
    q: ignoreInvalid(plainText(200).trim().min(1)),
    from: ignoreInvalid(Day),
    to: ignoreInvalid(Day),
    timeZone: ignoreInvalid(TimeZone),
    limit: Limit.catch(firstRows),
    cursor: Cursor,
  }),
  screen: 'payments',
  icon: 'undo-2',
  title: 'Refunds',
  keywords: 'money back approval',
  load: async ({ ask, input, actor }) => {
    const { limit: _, cursor: __, ...conditions } = input
    const [list, counts] = await Promise.all([ask(listRefunds, input), ask(getRefundCounts, conditions)])
    return { list, counts, query: input, organizationId: actor.organization?.id }
  },
  view: (props) => <RefundsPage {...props} />,
})

export const refundPage = page({
  path: '/pay/refunds/:id',
  permission: 'payments:read',
  query: z.object({ id: Id }),
  screen: 'payments',
  title: ({ refund }: { refund: RefundDetails }) => `Refund for order ${refund.orderNumber}`,
  load: async ({ ask, input, actor }) => ({
    refund: await ask(getRefund, input),
    organizationId: actor.organization?.id,
  }),
  view: (props) => <RefundView {...props} />,
})
