import { confirm } from '../payments/confirm.ts'
import { createIntent } from '../payments/payment-intents.ts'
import { usePaymentMethod } from '../payments/payment-methods.ts'
import { emit } from '../store/events.ts'
import { find, get, insert, update } from '../store/objects.ts'
import type { Stock } from '../store/types.ts'
import { seconds, type PaymentsCall } from '../wire/call.ts'
import { invalidRequest, Refusal, StripeError } from '../wire/error.ts'
import { draftInvoice, type InvoiceFacts } from './draft.ts'
import { settleInvoice } from './settle.ts'

type Invoice = Stock['invoice']

/** Final at once. When nothing is due it is also paid. */
export async function createInvoice(call: PaymentsCall, facts: InvoiceFacts): Promise<Invoice> {
  const draft = await draftInvoice(call, facts)
  const { data: customer } = await get(call, 'customer', facts.customer)
  const sequence = customer.next_invoice_sequence ?? 1
  await update(call, 'customer', customer.id, {
    next_invoice_sequence: sequence + 1,
    balance: draft.ending_balance ?? 0,
    currency: facts.currency,
  })
  const intent =
    draft.amount_due > 0
      ? await createIntent(
          call,
          {
            amount: draft.amount_due,
            currency: draft.currency,
            customer: customer.id,
            description: facts.reason === 'subscription_create' ? 'Subscription creation' : 'Subscription update',
            setup_future_usage: 'off_session',
            capture_method: 'automatic',
          },
          { invoice: draft.id },
        )
      : null
  const invoice = await insert(
    call,
    'invoice',
    {
      ...draft,
      status: 'open',
      number: `${customer.invoice_prefix ?? 'PRACTICE'}-${String(sequence).padStart(4, '0')}`,
      effective_at: draft.created,
      hosted_invoice_url: `${call.origin}/dev/payments/invoices/${draft.id}`,
      status_transitions: { ...draft.status_transitions, finalized_at: seconds(call.now) },
    },
    { intent: intent?.id ?? null },
  )
  await emit(call, 'invoice.created', invoice)
  await emit(call, 'invoice.finalized', invoice)
  if (intent) return invoice
  await settleInvoice(call, invoice.id, null)
  return (await get(call, 'invoice', invoice.id)).data
}

export async function intentOf(call: PaymentsCall, invoiceId: string) {
  const { intent } = (await get(call, 'invoice', invoiceId)).hidden
  return typeof intent === 'string' ? find(call, 'payment_intent', intent) : null
}

/** @throws {StripeError} for a customer without a payment method */
export async function defaultMethod(call: PaymentsCall, customerId: string, own: string | null): Promise<string> {
  const customer = (await get(call, 'customer', customerId)).data
  const method = own ?? customer.invoice_settings.default_payment_method
  if (typeof method === 'string') return method
  throw invalidRequest(
    'This customer has no attached payment source or default payment method. Please consider adding a default payment method.',
    undefined,
    'resource_missing',
  )
}

/** Pays an open invoice. A decline remains as the failed attempt that it is. */
export async function payInvoice(
  call: PaymentsCall,
  invoice: Invoice,
  methodId: string,
  isOffSession = true,
): Promise<Stock['payment_intent'] | Refusal> {
  const intent = await intentOf(call, invoice.id)
  if (!intent || invoice.status !== 'open')
    throw invalidRequest('Invoice is already paid', undefined, 'invoice_not_editable')
  const method = await usePaymentMethod(call, methodId)
  return confirm(call, intent, { method, isOffSession })
}

/** Undoes what came before the decline. */
export function refuse({ status, error }: Refusal): never {
  const { code, decline_code, message } = error
  throw new StripeError(status, String(message), {
    type: 'card_error',
    code: String(code),
    ...(typeof decline_code === 'string' && { decline_code }),
  })
}
