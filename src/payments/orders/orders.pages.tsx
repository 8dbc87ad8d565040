import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { page } from '#lib/page.ts'
import { Limit } from '#lib/paginate.ts'
import { OrderView } from '#views/payments/orders/order.tsx'
import { OrdersPage } from '#views/payments/orders/page.tsx'
import { OrderFilter, type OrderDetails } from '../contract/orders.ts'
import { getOrder, getOrderCounts, getOrderFilterOptions, listOrders } from './orders.operations.tsx'

const firstRows = 20

export const ordersPage = page({
  path: '/pay/orders',
  permission: 'payments:read',
  query: OrderFilter.extend({ limit: Limit.catch(firstRows) }),
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
