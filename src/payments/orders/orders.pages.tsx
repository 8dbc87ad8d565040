import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { page } from '#lib/page.ts'
import { Limit } from '#lib/paginate.ts'
import { ignoreInvalid } from '#lib/text.ts'
import { OrderView } from '#views/payments/orders/order.tsx'
import { OrdersPage } from '#views/payments/orders/page.tsx'
import { OrderFilter, type OrderDetails } from '../contract/orders.ts'
import { getOrder, getOrderCounts, getOrderFilterOptions, listOrders } from './orders.operations.tsx'

const firstRows = 20

const { shape } = OrderFilter

/** Links that are outdated show the list without what they got wrong. */
const Query = z.object({
  status: ignoreInvalid(shape.status),
  q: ignoreInvalid(shape.q),
  currency: ignoreInvalid(shape.currency),
  merchantId: ignoreInvalid(shape.merchantId),
  venueId: ignoreInvalid(shape.venueId),
  customerId: ignoreInvalid(shape.customerId),
  from: ignoreInvalid(shape.from),
  to: ignoreInvalid(shape.to),
  timeZone: ignoreInvalid(shape.timeZone),
  cursor: shape.cursor,
  limit: Limit.catch(firstRows),
})

export const ordersPage = page({
  path: '/pay/orders',
  permission: 'payments:read',
  query: Query,
  screen: 'payments',
  icon: 'receipt',
  title: 'Orders',
  keywords: 'payments sales checkout customers',
  load: async ({ ask, input, actor }) => {
    const { limit: _, cursor: __, ...conditions } = input
    const [list, counts, options] = await Promise.all([
      ask(listOrders, input),
      ask(getOrderCounts, conditions),
      ask(getOrderFilterOptions, conditions),
    ])
    return { list, counts, options, query: input, organizationId: actor.organization?.id }
  },
  view: (props) => <OrdersPage {...props} />,
})

export const orderPage = page({
  path: '/pay/orders/:id',
  permission: 'payments:read',
  query: z.object({ id: Id }),
  screen: 'payments',
  title: ({ order }: { order: OrderDetails }) => `Order ${order.number}`,
  load: async ({ ask, input, actor }) => ({
    order: await ask(getOrder, input),
    organizationId: actor.organization?.id,
  }),
  view: (props) => <OrderView {...props} />,
})
