import type { Actor, ServicePermission } from '#lib/actor.ts'
import { isAllowed, organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { searchResult, searchSource } from '#lib/search.ts'
import { capitalize } from '#lib/text.ts'
import type { OrderStatus } from './contract/orders.ts'
import { listCustomerRows } from './customers/list.ts'
import { listInvoiceRows } from './invoices/list.ts'
import { findPlaceNames } from './merchants/search.ts'
import { listOrderRows } from './orders/list.ts'

/** Of each kind. */
const maxFound = 5

export const search = searchSource({
  kinds: {
    order: { title: 'Orders', icon: 'receipt' },
    invoice: { title: 'Invoices', icon: 'file-text' },
    customer: { title: 'Customers', icon: 'users' },
    merchant: { title: 'Merchants and venues', icon: 'store' },
  },
  actions: [
    { label: 'New order', href: '/pay/orders#new-order', icon: 'plus', permission: 'payments:create' },
    { label: 'New invoice', href: '/pay/invoices#new-invoice', icon: 'plus', permission: 'invoices:write' },
    { label: 'New customer', href: '/pay/customers#new-customer', icon: 'user-plus', permission: 'customers:write' },
  ],
  find: async (call, words) => {
    const serviceId = await call.identity.serviceId('platform-pay')
    const { actor } = call
    if (actor.organization === null) return []
    const may = (permission: ServicePermission) => isAllowed(actor, permission, serviceId)
    const found = await Promise.all([
      may('payments:read') ? findOrders(call, words) : [],
      may('invoices:read') ? findInvoices(call, words) : [],
      may('customers:read') ? findCustomers(call, words) : [],
      may('merchants:read') ? findPlaces(call, words, { venues: may('venues:read') }) : [],
    ])
    return found.flat()
  },
})

type FindCall = Pick<Call<unknown, Actor>, 'db' | 'actor' | 'now' | 'identity'>

async function findOrders({ db, actor }: FindCall, words: string) {
  const { items } = await listOrderRows(db, actor, { q: words, limit: maxFound })
  return items.map(({ id, number, status, customer }) => ({
    ...searchResult('order', number, `/pay/orders/${id}`),
    id,
    detail: [customer.name ?? customer.email, statusNames[status]].filter(Boolean).join(' · '),
  }))
}

async function findInvoices(call: FindCall, words: string) {
  const { items } = await listInvoiceRows(call, { q: words, limit: maxFound })
  return items.map(({ id, number, buyer, status }) => ({
    ...searchResult('invoice', number ?? 'Draft', `/pay/invoices/${id}`),
    id,
    detail: [buyer.name ?? buyer.email, capitalize(status)].filter(Boolean).join(' · '),
  }))
}

async function findCustomers(call: FindCall, words: string) {
  const { items } = await listCustomerRows(call, { q: words, state: 'active', limit: maxFound })
  return items.map(({ id, name, email }) => ({
    ...searchResult('customer', name ?? email ?? id, `/pay/customers/${id}`),
    id,
    detail: name === null ? null : email,
  }))
}

async function findPlaces({ db, actor }: FindCall, words: string, shown: { venues: boolean }) {
  const names = await findPlaceNames(db, organizationOf(actor, 'merchants:read'), words, shown)
  return names.map(({ id, name, merchant }) => ({
    ...searchResult('merchant', name, '/pay/merchants'),
    id,
    detail: merchant,
  }))
}

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
