import { z } from 'zod'
import { notFound } from '#lib/errors.ts'
import { readBody } from '#lib/request/body.ts'
import { htmlResponse, redirectTo } from '#lib/response/respond.ts'
import { Door } from '#views/shell/door.tsx'
import { PortalCard } from '#views/gateway/practice-payments/portal.tsx'
import { formatAmount } from '../catalog/currency.ts'
import { updateSubscription } from '../billing/subscriptions.ts'
import { find, findAll } from '../store/objects.ts'
import type { Stock } from '../store/types.ts'
import type { PaymentsCall } from '../wire/call.ts'
import { inAccount, type HostedPage, type Visit } from './visit.ts'

const Answer = z.object({ outcome: z.enum(['cancel', 'renew']), subscription: z.string().max(100) })

async function getPortal(call: PaymentsCall, id: string) {
  const session = await find(call, 'billing_portal.session', id)
  if (!session) throw notFound('page')
  const subscriptions = await findAll(call, 'subscription', { customer: session.data.customer })
  return { session: session.data, subscriptions: subscriptions.filter(({ ended_at: at }) => at === null) }
}

const amountOf = ({ items, currency }: Stock['subscription']): string => {
  const amount = items.data.reduce((sum, { price, quantity = 1 }) => sum + (price.unit_amount ?? 0) * quantity, 0)
  return `${formatAmount(amount, currency)} per ${items.data[0]?.price.recurring?.interval ?? 'month'}`
}

async function showPortal(visit: Visit): Promise<Response> {
  const { session, subscriptions } = await inAccount(visit, (call) => getPortal(call, visit.id))
  const shown = subscriptions.map((each) => ({
    id: each.id,
    amount: amountOf(each),
    endsAt: each.cancel_at === null ? null : new Date(each.cancel_at * 1000).toISOString(),
  }))
  const content = <PortalCard action={visit.facts.url.pathname} subscriptions={shown} returnUrl={session.return_url} />
  return htmlResponse(200, () => <Door title="Billing" content={content} theme={undefined} />, visit.facts)
}

async function answerPortal(visit: Visit): Promise<Response> {
  const answer = Answer.safeParse(await readBody(visit.request, {}))
  if (answer.success)
    await inAccount(visit, async (call) => {
      const { subscriptions } = await getPortal(call, visit.id)
      const { subscription, outcome } = answer.data
      if (subscriptions.some(({ id }) => id === subscription))
        await updateSubscription(call, { cancel_at: outcome === 'cancel' ? 'max_period_end' : null }, subscription)
    })
  return redirectTo(visit.facts.url.pathname, visit.facts)
}

export const portalPages: readonly HostedPage[] = [
  { method: 'GET', path: '/portal/:id', show: showPortal },
  { method: 'POST', path: '/portal/:id', show: answerPortal },
]
