import { isAllowed } from '#lib/authorize.ts'
import { searchResult, searchSource } from '#lib/search.ts'
import type { OrderStatus } from './contract/orders.ts'
import { listOrderRows } from './orders/list.ts'

const maxOrders = 5

export const search = searchSource({
  kinds: { order: { title: 'Orders', icon: 'receipt' } },
  actions: [{ label: 'New order', href: '/pay/orders#new-order', icon: 'plus', permission: 'payments:create' }],
  find: async ({ db, actor, identity }, words) => {
    const serviceId = await identity.serviceId('platform-pay')
    if (actor.organization === null || !isAllowed(actor, 'payments:read', serviceId)) return []
    const { items } = await listOrderRows(db, actor, { q: words, limit: maxOrders })
    return items.map(({ id, number, status, customer }) => ({
      ...searchResult('order', number, `/pay/orders/${id}`),
      id,
      detail: [customer.name ?? customer.email, statusNames[status]].filter(Boolean).join(' · '),
    }))
  },
})

const statusNames: Record<OrderStatus, string> = {
  pending: 'Pending',
  requires_action: 'Requires action',
  paid: 'Paid',
  partially_refunded: 'Partially refunded',
  refunded: 'Refunded',
  disputed: 'Disputed',
  lost: 'Lost',
  cancelled: 'Canceled',
  expired: 'Expired',
  failed: 'Failed',
}
