import { emit } from '../store/events.ts'
import { find, update } from '../store/objects.ts'
import type { Stock } from '../store/types.ts'
import type { PaymentsCall } from '../wire/call.ts'

type Session = Stock['checkout.session']

/** The customer has paid, or saved a card. Once; an authorized payment is paid by its capture. */
export async function completeSession(
  call: PaymentsCall,
  id: string,
  made: Partial<Pick<Session, 'payment_intent' | 'setup_intent' | 'subscription' | 'invoice'>>,
): Promise<void> {
  const session = (await find(call, 'checkout.session', id))?.data
  if (!session || session.status === 'expired') return
  const isPaid = made.payment_intent === undefined || (await isSucceeded(call, made.payment_intent))
  if (session.status === 'complete') {
    if (isPaid && session.payment_status === 'unpaid')
      await update(call, 'checkout.session', id, { payment_status: 'paid' })
    return
  }
  const isFree = session.mode === 'setup' || session.amount_total === 0 || made.payment_intent === undefined
  const completed = await update(call, 'checkout.session', id, {
    status: 'complete',
    payment_status: isFree ? 'no_payment_required' : isPaid ? 'paid' : 'unpaid',
    ...(session.mode !== 'subscription' && made),
    url: null,
  })
  await emit(call, 'checkout.session.completed', completed)
  if (session.payment_link) await countCompleted(call, session.payment_link)
}

/** False for an authorized payment, until it is captured. */
async function isSucceeded(call: PaymentsCall, intentId: string | null): Promise<boolean> {
  return intentId !== null && (await find(call, 'payment_intent', intentId))?.data.status === 'succeeded'
}

async function countCompleted(call: PaymentsCall, id: string): Promise<void> {
  const limit = (await find(call, 'payment_link', id))?.data.restrictions?.completed_sessions
  if (!limit) return
  const count = limit.count + 1
  await update(call, 'payment_link', id, {
    active: count < limit.limit,
    restrictions: { completed_sessions: { ...limit, count } },
  })
}
