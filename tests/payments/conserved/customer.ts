import { providerTimeoutMs } from './servers.ts'
import { cards } from './drafts.ts'
import type { Chance } from './random.ts'
import type { Shop } from './shops.ts'

export interface SeenPayment {
  id: string
  mode: string
  status: string
  checkoutUrl: string | null
  authorized: number
  captured: number
  providerReference: string | null
}

type Deed = 'pay' | 'decline' | 'authenticate' | 'fail to authenticate' | 'abandon'

const deeds: readonly Deed[] = [
  'pay',
  'pay',
  'pay',
  'pay',
  'decline',
  'authenticate',
  'fail to authenticate',
  'abandon',
]
const paying = [cards.good, cards.good, cards.disputed, cards.pendingRefund, cards.failedRefund] as const

/** What a customer does with a payment. Nothing of it passes our servers. */
export async function visit(chance: Chance, shop: Shop, payment: SeenPayment): Promise<void> {
  const deed = chance.pick(deeds)
  const number =
    deed === 'pay' ? chance.pick(paying) : deed.includes('authenticate') ? cards.authenticated : cards.declined
  if (deed === 'abandon') return
  const next = payment.mode === 'intent' ? await confirm(shop, payment, number) : await payPage(payment, number)
  if (next?.includes('/authenticate/')) await sendForm(next, { outcome: deed === 'authenticate' ? 'complete' : 'fail' })
}

/** On the provider’s page, or on one of those that a link opens. Returns where it leads. */
async function payPage({ checkoutUrl }: SeenPayment, number: string): Promise<string | null> {
  if (checkoutUrl === null) return null
  const page = checkoutUrl.includes('/links/') ? await follow(checkoutUrl) : checkoutUrl
  return page === null ? null : sendForm(page, { outcome: 'pay', email: 'c@example.com', number })
}

async function follow(url: string): Promise<string | null> {
  const response = await fetch(url, { redirect: 'manual' })
  await response.body?.cancel()
  return response.headers.get('location')
}

async function sendForm(url: string, fields: Record<string, string>): Promise<string | null> {
  const response = await fetch(url, { method: 'POST', redirect: 'manual', body: new URLSearchParams(fields) })
  await response.body?.cancel()
  return response.headers.get('location')
}

const methods: Readonly<Record<string, string>> = {
  [cards.good]: 'pm_card_visa',
  [cards.declined]: 'pm_card_chargeDeclined',
  [cards.disputed]: 'pm_card_createDispute',
  [cards.pendingRefund]: 'pm_card_pendingRefund',
  [cards.failedRefund]: 'pm_card_refundFail',
  [cards.authenticated]: 'pm_card_authenticationRequired',
}

/** As the provider’s library does on the merchant’s own page. */
async function confirm(shop: Shop, { providerReference }: SeenPayment, number: string): Promise<string | null> {
  if (!providerReference?.startsWith('pi_')) return null
  const options = { timeout: 4 * providerTimeoutMs }
  const intent = await shop.stripe.paymentIntents
    .confirm(
      providerReference,
      { payment_method: methods[number] ?? 'pm_card_visa', return_url: 'https://shop.example.com/' },
      options,
    )
    .catch(() => null)
  return intent?.next_action?.redirect_to_url?.url ?? null
}

/** The merchant’s answer to disputes, in the provider’s dashboard. A quarter is left open. */
export async function answerDisputes(chance: Chance, shop: Shop, intent: string): Promise<void> {
  const [dispute] = await eventually(async () => (await shop.stripe.disputes.list({ payment_intent: intent })).data)
  if (!dispute || chance.happens(0.25)) return
  const uncategorized_text = chance.pick(['winning_evidence', 'losing_evidence'])
  await eventually(async () => [await shop.stripe.disputes.update(dispute.id, { evidence: { uncategorized_text } })])
}

/** Until there is something; nothing when the provider keeps failing. */
async function eventually<Item>(read: () => Promise<Item[]>): Promise<Item[]> {
  for (let tries = 0; tries < 20; tries += 1) {
    const found = await read().catch(() => [])
    if (found.length > 0) return found
    await Bun.sleep(150)
  }
  return []
}
