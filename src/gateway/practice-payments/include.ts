import { confirmationSecret, listPayments } from './billing/payments.ts'
import { linkItems } from './checkout/payment-links.ts'
import { sessionItems } from './checkout/sessions.ts'
import { findAll } from './store/objects.ts'
import { wholeList } from './store/list.ts'
import type { Includes } from './wire/expand.ts'

/** Lists that an object has only when they are expanded. */
export const include: Includes = async (call, object, name) => {
  const { id, object: type } = object
  if (typeof id !== 'string') return undefined
  if (type === 'checkout.session' && name === 'line_items')
    return wholeList(`/v1/checkout/sessions/${id}/line_items`, await sessionItems(call, id))
  if (type === 'payment_link' && name === 'line_items')
    return wholeList(`/v1/payment_links/${id}/line_items`, await linkItems(call, id))
  if (type === 'charge' && name === 'refunds')
    return wholeList(`/v1/charges/${id}/refunds`, await findAll(call, 'refund', { charge: id }))
  if (type === 'invoice' && name === 'payments')
    return wholeList(`/v1/invoice_payments?invoice=${id}`, await listPayments(call, id))
  if (type === 'invoice' && name === 'confirmation_secret') return confirmationSecret(call, id)
  return undefined
}
