import { z } from 'zod'
import { organizationOf } from '#lib/authorize.ts'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import {
  CaptureDraft,
  NewOrderPayment,
  OrderPayment,
  OrderPaymentList,
  PaymentDraft,
  PaymentFilter,
} from '../contract/payments.ts'
import { describePayment } from '../orders/describe.ts'
import type { orderPayments } from '../schema.ts'
import { capturePayment, findPayment, requireClosed, requireOpen } from './capture.ts'
import { closePayment } from './close.ts'
import { createPayment, readPayment } from './create.ts'
import { listPaymentRows } from './list.ts'
import { providerProblems } from '../provider-problems.ts'
import { syncPayment } from './sync.ts'

type PaymentRow = typeof orderPayments.$inferSelect

function toastOf({ status, providerPaymentMethodId }: PaymentRow, insteadOf: object | null): string {
  if (insteadOf) return 'The customer has to confirm: payment link created'
  if (providerPaymentMethodId === null) return 'Payment link created'
  return status === 'succeeded' ? 'Card charged' : status === 'authorized' ? 'Amount reserved' : 'Charge sent'
}

export const createOrderPayment = operation({
  route: 'POST /api/payments',
  summary: 'Create a payment for an order',
  permission: 'payments:create',
  machine: true,
  creates: true,
  secrets: ['clientSecret'],
  transaction: false,
  timeout: ({ config }) => 4 * config.PAYMENTS_TIMEOUT_MS + 10_000,
  input: PaymentDraft,
  output: NewOrderPayment,
  answers: { 200: NewOrderPayment, 201: NewOrderPayment, 202: NewOrderPayment },
  problems: {
    ...providerProblems,
    order_state: 409,
    payment_authorized: 409,
    payment_busy: 409,
    payment_method_account: 409,
  },
  run: async (call) => {
    const { payment, isNew, clientSecret, insteadOf = null } = await createPayment(call, call.input)
    return reply(
      payment.status === 'unknown' ? 202 : isNew ? 201 : 200,
      { ...describePayment(payment), clientSecret, insteadOf },
      { next: `/pay/orders/${payment.orderId}`, ...(isNew && { toast: toastOf(payment, insteadOf) }) },
    )
  },
})

export const listOrderPayments = operation({
  route: 'GET /api/payments',
  summary: 'List payments',
  permission: 'payments:read',
  machine: true,
  input: PaymentFilter,
  output: OrderPaymentList,
  run: ({ db, actor, input }) => listPaymentRows(db, actor, input),
})

export const getOrderPayment = operation({
  route: 'GET /api/payments/:id',
  summary: 'Get a payment',
  permission: 'payments:read',
  machine: true,
  input: z.object({ id: Id }),
  output: OrderPayment,
  run: async ({ db, actor, input }) =>
    describePayment(await findPayment(db, organizationOf(actor, 'payments:read'), input.id)),
})

export const captureOrderPayment = operation({
  route: 'POST /api/payments/:id/capture',
  summary: 'Capture an authorized payment',
  permission: 'transactions:write',
  machine: true,
  transaction: false,
  timeout: ({ config }) => 4 * config.PAYMENTS_TIMEOUT_MS + 10_000,
  input: CaptureDraft,
  output: OrderPayment,
  problems: { ...providerProblems, payment_state: 409 },
  run: async (call) => {
    const payment = await capturePayment(call, call.input)
    return reply(200, describePayment(payment), { next: `/pay/orders/${payment.orderId}`, toast: 'Payment captured' })
  },
})

export const cancelOrderPayment = operation({
  route: 'POST /api/payments/:id/cancel',
  summary: 'Cancel an open payment',
  permission: 'transactions:write',
  machine: true,
  transaction: false,
  timeout: ({ config }) => 4 * config.PAYMENTS_TIMEOUT_MS + 10_000,
  input: z.object({ id: Id }),
  output: OrderPayment,
  problems: { ...providerProblems, payment_state: 409 },
  run: async (call) => {
    const payment = await findPayment(call.db, organizationOf(call.actor, 'transactions:write'), call.input.id)
    requireOpen(payment)
    await closePayment(call, payment)
    const after = await readPayment(call.db, payment.id)
    requireClosed(after)
    return reply(200, describePayment(after), { next: `/pay/orders/${after.orderId}`, toast: 'Payment canceled' })
  },
})

export const checkOrderPayment = operation({
  route: 'POST /api/payments/:id/check',
  summary: 'Check a payment at the provider',
  limit: 'checks',
  permission: 'payments:create',
  machine: true,
  transaction: false,
  audit: false,
  timeout: ({ config }) => 4 * config.PAYMENTS_TIMEOUT_MS + 10_000,
  input: z.object({ id: Id }),
  output: OrderPayment,
  problems: providerProblems,
  run: async (call) => {
    const payment = await findPayment(call.db, organizationOf(call.actor, 'payments:create'), call.input.id)
    await syncPayment(call, payment.id)
    const after = await readPayment(call.db, payment.id)
    return reply(200, describePayment(after), { next: `/pay/orders/${after.orderId}` })
  },
})
