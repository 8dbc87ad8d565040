import type { Stripe } from 'stripe'
import type { z } from 'zod'
import type { InvoicePreview, PaymentInvoice } from '../../contract/payments.ts'
import { codeOf, failureOf, idOf, optionalTime, timeOf } from './parts.ts'

const sum = (parts: readonly { amount: number }[] | null): number =>
  (parts ?? []).reduce((total, { amount }) => total + amount, 0)

export const describePreview = (invoice: Stripe.Invoice): z.input<typeof InvoicePreview> => ({
  currency: codeOf(invoice.currency),
  subtotal: invoice.subtotal,
  total: invoice.total,
  tax: sum(invoice.total_taxes),
  discount: sum(invoice.total_discount_amounts),
  amountDue: invoice.amount_due,
  periodStartsAt: timeOf(invoice.period_start),
  periodEndsAt: timeOf(invoice.period_end),
  lines: invoice.lines.data.map((line) => ({
    description: line.description,
    amount: line.amount,
    quantity: line.quantity,
    priceId: idOf(line.pricing?.price_details?.price),
    isProration:
      line.parent?.subscription_item_details?.proration ?? line.parent?.invoice_item_details?.proration ?? false,
    periodStartsAt: timeOf(line.period.start),
    periodEndsAt: timeOf(line.period.end),
  })),
  hasMoreLines: invoice.lines.has_more,
})

export const describeInvoice = (invoice: Stripe.Invoice): z.input<typeof PaymentInvoice> => ({
  id: invoice.id,
  number: invoice.number,
  status: invoice.status,
  reason: invoice.billing_reason,
  customerId: idOf(invoice.customer),
  subscriptionId: idOf(invoice.parent?.subscription_details?.subscription),
  currency: codeOf(invoice.currency),
  subtotal: invoice.subtotal,
  total: invoice.total,
  tax: sum(invoice.total_taxes),
  amountDue: invoice.amount_due,
  amountPaid: invoice.amount_paid,
  amountRemaining: invoice.amount_remaining,
  attempts: invoice.attempt_count,
  nextAttemptAt: optionalTime(invoice.next_payment_attempt),
  lastFailure: lastFailureOf(invoice),
  paymentIntentId: idOf(invoice.payments?.data.findLast(({ status }) => status === 'paid')?.payment.payment_intent),
  url: invoice.hosted_invoice_url ?? null,
  pdfUrl: invoice.invoice_pdf ?? null,
  periodStartsAt: timeOf(invoice.period_start),
  periodEndsAt: timeOf(invoice.period_end),
  paidAt: optionalTime(invoice.status_transitions.paid_at),
  createdAt: timeOf(invoice.created),
})

/** Null unless the payments are expanded. */
function lastFailureOf({ payments }: Stripe.Invoice) {
  for (const { payment } of payments?.data.toReversed() ?? []) {
    const intent = payment.payment_intent
    if (intent && typeof intent !== 'string' && intent.last_payment_error) return failureOf(intent.last_payment_error)
  }
  return null
}
