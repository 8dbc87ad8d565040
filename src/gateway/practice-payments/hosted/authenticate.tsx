import { z } from 'zod'
import { notFound } from '#lib/errors.ts'
import { readBody } from '#lib/request/body.ts'
import { htmlResponse, redirectTo } from '#lib/response/respond.ts'
import { Door } from '#views/shell/door.tsx'
import { AuthenticateCard, HostedMessage } from '#views/gateway/practice-payments/checkout.tsx'
import { formatAmount } from '../catalog/currency.ts'
import { finishAuthentication } from '../payments/confirm.ts'
import { finishSetup } from '../payments/setup-intents.ts'
import { find } from '../store/objects.ts'
import type { PaymentsCall } from '../wire/call.ts'
import { inAccount, type HostedPage, type Visit } from './visit.ts'

const Answer = z.object({ outcome: z.enum(['complete', 'fail']) })

/** Of a payment or a saved card. */
async function getAuthentication(call: PaymentsCall, id: string) {
  const payment = await find(call, 'payment_intent', id)
  const setup = payment ? null : await find(call, 'setup_intent', id)
  const { data, hidden } = payment ?? setup ?? {}
  if (!data || !hidden) throw notFound('page')
  return {
    id,
    isOpen: data.status === 'requires_action',
    kind: data.object,
    secret: data.client_secret ?? '',
    subject: payment ? formatAmount(payment.data.amount, payment.data.currency) : 'that your card is saved',
    returnUrl: typeof hidden['returnUrl'] === 'string' ? hidden['returnUrl'] : null,
    finish: async (passed: boolean) => {
      if (payment) await finishAuthentication(call, payment, passed)
      if (setup) await finishSetup(call, setup, passed)
    },
  }
}

async function showAuthentication(visit: Visit): Promise<Response> {
  const { isOpen, subject } = await inAccount(visit, (call) => getAuthentication(call, visit.id))
  const title = isOpen ? 'Confirm with your bank' : 'Nothing to confirm'
  const content = isOpen ? (
    <AuthenticateCard action={visit.facts.url.pathname} subject={subject} />
  ) : (
    <HostedMessage title={title} text="This was already confirmed or refused." />
  )
  return htmlResponse(200, () => <Door title={title} content={content} theme={undefined} />, visit.facts)
}

async function answerAuthentication(visit: Visit): Promise<Response> {
  const answer = Answer.safeParse(await readBody(visit.request, {}))
  if (!answer.success) return showAuthentication(visit)
  const { kind, id, secret, returnUrl } = await inAccount(visit, async (call) => {
    const found = await getAuthentication(call, visit.id)
    if (found.isOpen) await found.finish(answer.data.outcome === 'complete')
    return found
  })
  if (returnUrl === null) return showAuthentication(visit)
  const next = new URL(returnUrl)
  next.searchParams.set(kind, id)
  next.searchParams.set(`${kind}_client_secret`, secret)
  return redirectTo(next.href, visit.facts)
}

export const authenticatePages: readonly HostedPage[] = [
  { method: 'GET', path: '/authenticate/:id', show: showAuthentication },
  { method: 'POST', path: '/authenticate/:id', show: answerAuthentication },
]
