import { z } from 'zod'
import { auditedTransaction, recordChange } from '#lib/audit.ts'
import { organizationOf } from '#lib/authorize.ts'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { csvFile } from '#lib/response/csv-file.ts'
import { OrderFilters } from '#views/payments/orders/filters.tsx'
import { OrderView } from '#views/payments/orders/order.tsx'
import { OrderTable } from '#views/payments/orders/table.tsx'
import { OrderTabs } from '#views/payments/orders/tabs.tsx'
import {
  Order,
  OrderCounts,
  OrderDetails,
  OrderDraft,
  OrderFilter,
  OrderFilterOptions,
  OrderList,
} from '../contract/orders.ts'
import { closeOrder } from './cancel.ts'
import { createOrder as create } from './create.ts'
import { listFilterOptions } from './filter-options.ts'
import { countOrders, listOrderRows } from './list.ts'
import { describeOrder, findOrder, readOrder } from './read.ts'
import { orderRightsOf } from './rights.ts'

export const createOrder = operation({
  route: 'POST /api/orders',
  summary: 'Create an order',
  permission: 'payments:create',
  machine: true,
  creates: true,
  input: OrderDraft,
  output: Order,
  example: { currency: 'EUR', lines: [{ name: 'Latte', quantity: 2, unitAmount: 350 }] },
  run: async (call) => {
    const row = await create(call, call.input)
    return reply(201, describeOrder(row), { next: `/pay/orders/${row.order.id}`, toast: 'Order created' })
  },
})

export const listOrders = operation({
  route: 'GET /api/orders',
  summary: 'List orders',
  permission: 'payments:read',
  machine: true,
  input: OrderFilter,
  output: OrderList,
  run: async (call) => {
    const [list, rights] = await Promise.all([listOrderRows(call.db, call.actor, call.input), orderRightsOf(call)])
    return { ...list, can: { create: rights.create, refund: rights.refund, chooseCustomer: rights.readCustomers } }
  },
  view: (list, { input, actor }) => <OrderTable list={list} query={input} organizationId={actor.organization?.id} />,
})

const Conditions = OrderFilter.omit({ limit: true, cursor: true })

export const exportOrders = operation({
  route: 'GET /api/orders/export',
  summary: 'Export orders as CSV',
  permission: 'payments:read',
  input: Conditions,
  output: z.null(),
  streams: 'text/csv',
  run: async ({ db, actor, input }) =>
    csvFile('orders', Order, (page) => listOrderRows(db, actor, { ...input, ...page })),
})

export const getOrderFilterOptions = operation({
  route: 'GET /api/orders/filter-options',
  summary: 'Get what orders can be filtered by',
  permission: 'payments:read',
  input: Conditions,
  output: OrderFilterOptions,
  run: ({ db, actor }) => listFilterOptions(db, actor),
  view: (options, { input }) => <OrderFilters options={options} filter={input} />,
})

export const getOrderCounts = operation({
  route: 'GET /api/orders/counts',
  summary: 'Get order counts by status',
  permission: 'payments:read',
  input: Conditions,
  output: OrderCounts,
  run: ({ db, actor, input }) => countOrders(db, actor, input),
  view: (counts, { input, actor }) => (
    <OrderTabs counts={counts} filter={input} organizationId={actor.organization?.id} />
  ),
})

export const getOrder = operation({
  route: 'GET /api/orders/:id',
  summary: 'Get an order with its payments, refunds and timeline',
  permission: 'payments:read',
  machine: true,
  input: z.object({ id: Id }),
  output: OrderDetails,
  run: async (call) => readOrder(call, call.input.id, await orderRightsOf(call)),
  view: (order, { actor }) => <OrderView order={order} organizationId={actor.organization?.id} />,
})

export const cancelOrder = operation({
  route: 'POST /api/orders/:id/cancel',
  summary: 'Cancel an order that isn’t paid',
  permission: 'transactions:write',
  machine: true,
  transaction: false,
  timeout: ({ config }) => 4 * config.PAYMENTS_TIMEOUT_MS + 10_000,
  input: z.object({ id: Id }),
  output: OrderDetails,
  problems: {
    order_state: 409,
    order_invoiced: 409,
    payment_busy: 409,
    provider_account_changed: 409,
    outcome_unknown: 502,
    provider_failed: 502,
    gateway_unavailable: 503,
  },
  run: async (call) => {
    const order = await findOrder(call.db, organizationOf(call.actor, 'transactions:write'), call.input.id)
    await closeOrder(call, order, 'cancelled', {
      by: call.actor.principal.id,
      within: (run) =>
        auditedTransaction(call, async (tx) => {
          const closed = await run(tx)
          recordChange(tx, {
            object: 'order',
            id: order.id,
            before: { status: order.status },
            after: { status: closed.status },
          })
          return closed
        }),
    })
    const after = await readOrder(call, order.id, await orderRightsOf(call))
    return reply(200, after, { next: `/pay/orders/${order.id}`, toast: 'Order canceled' })
  },
})
