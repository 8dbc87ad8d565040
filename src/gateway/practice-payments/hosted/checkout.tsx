import { z } from 'zod'
import { notFound } from '#lib/errors.ts'
import { htmlResponse, redirectTo } from '#lib/response/respond.ts'
import { readBody } from '#lib/request/body.ts'
import { Door } from '#views/shell/door.tsx'
import { CheckoutCard, HostedMessage } from '#views/gateway/practice-payments/checkout.tsx'
import { find, type Found } from '../store/objects.ts'
import { formatAmount } from '../catalog/currency.ts'
import { sessionItems } from '../checkout/sessions.ts'
import type { PaymentsCall } from '../wire/call.ts'
import { payCheckout, returnAddress } from './pay.ts'
import { inAccount, textOfRefusal, type HostedPage, type Visit } from './visit.ts'

const Answer = z.object({
  outcome: z.enum(['pay', 'decline', 'abandon']),
  email: z.string().max(512).default(''),
  number: z.string().max(30).default(''),
})

const Item = z.looseObject({ description: z.string(), quantity: z.int(), amount_total: z.int(), currency: z.string() })

/** Always declined. */
const declinedNumber = '4000000000000002'

type Session = Found<'checkout.session'>

async function getSession(call: PaymentsCall, id: string): Promise<Session> {
  const session = await find(call, 'checkout.session', id)
  if (!session) throw notFound('page')
  return session
}

async function showCheckout(visit: Visit, error?: string): Promise<Response> {
  const { id, facts } = visit
  const { session, items } = await inAccount(visit, async (call) => ({
    session: (await getSession(call, id)).data,
    items: z.array(Item).parse(await sessionItems(call, id)),
  }))
  if (session.status === 'complete') return redirectTo(returnAddress(session.success_url, id), facts)
  const isOpen = session.status === 'open'
  const lines = items.map(({ description, quantity, amount_total, currency }) => ({
    name: quantity === 1 ? description : `${quantity} × ${description}`,
    amount: formatAmount(amount_total, currency),
  }))
  const total = session.amount_total === null ? null : formatAmount(session.amount_total, session.currency ?? 'usd')
  const title = isOpen ? 'Checkout' : 'Checkout expired'
  const content = isOpen ? (
    <CheckoutCard
      action={facts.url.pathname}
      lines={lines}
      total={total}
      email={session.customer_details?.email ?? ''}
      canAbandon={session.cancel_url !== null}
      error={error}
    />
  ) : (
    <HostedMessage title={title} text="Go back to the shop and start again." />
  )
  const draw = () => <Door title={title} content={content} theme={undefined} />
  return htmlResponse(error ? 402 : 200, draw, facts)
}

async function answerCheckout(visit: Visit): Promise<Response> {
  const { id, facts } = visit
  const answer = Answer.safeParse(await readBody(visit.request, {}))
  if (!answer.success) return showCheckout(visit, 'Choose Pay, Decline or Abandon.')
  const { outcome, email, number } = answer.data
  const result = await inAccount(visit, async (call) => {
    const session = await getSession(call, id)
    if (session.data.status !== 'open') return { next: facts.url.pathname }
    if (outcome === 'abandon') return { next: returnAddress(session.data.cancel_url ?? facts.url.pathname, id) }
    return payCheckout(call, session, {
      email: email || 'customer@example.com',
      number: outcome === 'decline' ? declinedNumber : number || '4242424242424242',
    })
  }).catch((error: unknown) => ({ error: textOfRefusal(error) }))
  return 'next' in result ? redirectTo(result.next, facts) : showCheckout(visit, result.error)
}

export const checkoutPages: readonly HostedPage[] = [
  { method: 'GET', path: '/checkout/:id', show: (visit) => showCheckout(visit) },
  { method: 'POST', path: '/checkout/:id', show: answerCheckout },
]
