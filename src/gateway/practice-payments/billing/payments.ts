import type Stripe from 'stripe'
import { get } from '../store/objects.ts'
import type { Stored } from '../store/types.ts'
import type { PaymentsCall } from '../wire/call.ts'
import { intentOf } from './invoice.ts'

/** How an invoice is paid: by its payment intent, unless nothing was due. */
export async function listPayments(call: PaymentsCall, invoiceId: string): Promise<Stored<Stripe.InvoicePayment>[]> {
  const { data: invoice } = await get(call, 'invoice', invoiceId)
  const intent = await intentOf(call, invoiceId)
  if (!intent) return []
  const isPaid = invoice.status === 'paid'
  return [
    {
      id: intent.data.id.replace('pi_', 'inpay_'),
      object: 'invoice_payment',
      amount_paid: isPaid ? intent.data.amount : null,
      amount_requested: intent.data.amount,
      created: intent.data.created,
      currency: intent.data.currency,
      invoice: invoiceId,
      is_default: true,
      livemode: false,
      payment: { type: 'payment_intent', payment_intent: intent.data.id },
      status: isPaid ? 'paid' : 'open',
      status_transitions: { canceled_at: null, paid_at: invoice.status_transitions.paid_at },
    },
  ]
}

export async function confirmationSecret(call: PaymentsCall, invoiceId: string) {
  const intent = await intentOf(call, invoiceId)
  return intent ? { client_secret: intent.data.client_secret ?? '', type: 'payment_intent' } : null
}
