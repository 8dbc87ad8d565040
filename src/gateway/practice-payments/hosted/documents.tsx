import { z } from 'zod'
import { notFound } from '#lib/errors.ts'
import { readBody } from '#lib/request/body.ts'
import { htmlResponse } from '#lib/response/respond.ts'
import { Door } from '#views/shell/door.tsx'
import { CheckoutCard, HostedMessage } from '#views/gateway/practice-payments/checkout.tsx'
import { payInvoice } from '../billing/invoice.ts'
import { formatAmount } from '../catalog/currency.ts'
import { createPaymentMethod } from '../payments/payment-methods.ts'
import { find } from '../store/objects.ts'
import { Refusal } from '../wire/error.ts'
import { inAccount, textOfRefusal, type HostedPage, type Visit } from './visit.ts'

const Answer = z.object({ outcome: z.enum(['pay', 'decline']), number: z.string().max(30).default('4242424242424242') })

const declinedNumber = '4000000000000002'

async function showReceipt(visit: Visit): Promise<Response> {
  const charge = await inAccount(visit, async (call) => (await find(call, 'charge', visit.id, 'read'))?.data)
  if (!charge) throw notFound('page')
  const amount = formatAmount(charge.amount_captured, charge.currency)
  const refunded =
    charge.amount_refunded > 0 ? ` Refunded: ${formatAmount(charge.amount_refunded, charge.currency)}.` : ''
  const text = `${amount} was paid with the card that ends in ${charge.payment_method_details?.card?.last4 ?? ''}.${refunded}`
  return htmlResponse(
    200,
    () => <Door title="Receipt" content={<HostedMessage title="Receipt" text={text} />} theme={undefined} />,
    visit.facts,
  )
}

async function showInvoice(visit: Visit, error?: string): Promise<Response> {
  const invoice = await inAccount(visit, async (call) => (await find(call, 'invoice', visit.id, 'read'))?.data)
  if (!invoice) throw notFound('page')
  const title = `Invoice ${invoice.number ?? ''}`
  const total = formatAmount(invoice.amount_due, invoice.currency)
  const lines = invoice.lines.data.map(({ description, amount, currency }) => ({
    name: description ?? '',
    amount: formatAmount(amount, currency),
  }))
  const email = invoice.customer_email ?? ''
  const content =
    invoice.status === 'open' ? (
      <CheckoutCard {...{ action: visit.facts.url.pathname, lines, total, email, canAbandon: false, error }} />
    ) : (
      <HostedMessage title={title} text={`${total} · ${invoice.status ?? 'draft'}`} />
    )
  return htmlResponse(error ? 402 : 200, () => <Door title={title} content={content} theme={undefined} />, visit.facts)
}

async function answerInvoice(visit: Visit): Promise<Response> {
  const answer = Answer.safeParse(await readBody(visit.request, {}))
  if (!answer.success) return showInvoice(visit, 'Choose Pay or Decline.')
  const { outcome, number } = answer.data
  const error = await inAccount(visit, async (call) => {
    const invoice = (await find(call, 'invoice', visit.id))?.data
    if (invoice?.status !== 'open') return undefined
    const card = { number: outcome === 'decline' ? declinedNumber : number }
    const result = await payInvoice(call, invoice, (await createPaymentMethod(call, { card })).id, false)
    return result instanceof Refusal ? String(result.error['message']) : undefined
  }).catch(textOfRefusal)
  return showInvoice(visit, error)
}

export const documentPages: readonly HostedPage[] = [
  { method: 'GET', path: '/receipts/:id', show: showReceipt },
  { method: 'GET', path: '/invoices/:id', show: (visit) => showInvoice(visit) },
  { method: 'POST', path: '/invoices/:id', show: answerInvoice },
]
