import { find } from '../store/objects.ts'
import type { PaymentsCall } from '../wire/call.ts'
import { payInvoice } from './invoice.ts'

/** Pays a renewal again whose payment failed, with the payment method that the subscription or customer has now. */
export async function retryInvoice(call: PaymentsCall, id: string): Promise<void> {
  const invoice = (await find(call, 'invoice', id))?.data
  if (invoice?.status !== 'open') return
  const reference = invoice.parent?.subscription_details?.subscription
  const subscription = typeof reference === 'string' ? (await find(call, 'subscription', reference))?.data : undefined
  if (!subscription || subscription.ended_at !== null) return
  const customer = (await find(call, 'customer', invoice.customer ?? ''))?.data
  const method = subscription.default_payment_method ?? customer?.invoice_settings.default_payment_method
  if (typeof method === 'string') await payInvoice(call, invoice, method)
}
