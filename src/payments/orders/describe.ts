import type { z } from 'zod'
import type { Dispute, OrderPayment } from '../contract/payments.ts'
import type { Refund } from '../contract/refunds.ts'
import type { disputes, orderPayments, refunds } from '../schema.ts'

export const describePayment = (row: typeof orderPayments.$inferSelect): z.input<typeof OrderPayment> => ({
  ...row,
  checkoutUrl: row.status === 'requires_action' ? row.url : null,
  card: row.cardBrand && row.cardLastFour ? { brand: row.cardBrand, lastFour: row.cardLastFour } : null,
  failure: row.failureMessage === null ? null : { code: row.failureCode, message: row.failureMessage },
  providerReference: row.paymentIntentId ?? row.checkoutSessionId ?? row.paymentLinkId,
})

export const describeRefund = (row: typeof refunds.$inferSelect): z.input<typeof Refund> => ({
  ...row,
  lines: [...row.lines],
  providerReference: row.providerRefundId,
})

export const describeDispute = (row: typeof disputes.$inferSelect): z.input<typeof Dispute> => ({
  ...row,
  providerReference: row.providerDisputeId,
})
