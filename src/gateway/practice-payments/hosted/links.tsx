import { htmlResponse, redirectTo } from '#lib/response/respond.ts'
import { Door } from '#views/shell/door.tsx'
import { HostedMessage } from '#views/gateway/practice-payments/checkout.tsx'
import { openLink } from '../checkout/payment-links.ts'
import { inAccount, type HostedPage, type Visit } from './visit.ts'

const message = (title: string, text: string, { facts }: Visit) =>
  htmlResponse(
    200,
    () => <Door title={title} content={<HostedMessage title={title} text={text} />} theme={undefined} />,
    facts,
  )

async function visitLink(visit: Visit): Promise<Response> {
  const session = await inAccount(visit, (call) => openLink(call, visit.id))
  if (session?.url) return redirectTo(session.url, visit.facts)
  return message('Link deactivated', 'This payment link is no longer active.', visit)
}

export const linkPages: readonly HostedPage[] = [
  { method: 'GET', path: '/links/:id', show: visitLink },
  {
    method: 'GET',
    path: '/thanks/:id',
    show: (visit) => message('Thanks for your payment', 'You can close this page.', visit),
  },
]
