import { answerDisputes, visit, type SeenPayment } from './customer.ts'
import { draftOrder } from './drafts.ts'
import type { Chance } from './random.ts'
import type { Shop } from './shops.ts'

export interface SeenRefund {
  id: string
  status: string
  amount: number
  note: string | null
  providerReference: string | null
}

export interface SeenOrder {
  id: string
  status: string
  currency: string
  total: number
  authorized: number
  captured: number
  refunded: number
  metadata: Record<string, string>
  payments: SeenPayment[]
  refunds: SeenRefund[]
  disputes: { id: string; status: string; amount: number; providerReference: string }[]
}

const maxPayments = 3

/** An order’s life, through any of the servers, of which some are killed. */
export async function playHistory(chance: Chance, shop: Shop, name: string): Promise<void> {
  const created = await shop.create(chance, 'POST /api/orders', {
    ...draftOrder(chance, name),
    customerId: shop.customerId,
  })
  if (created?.status !== 201) return
  const id = String(created.body['id'])
  for (let round = 0; round < maxPayments; round += 1) {
    await tryToPay(chance, shop, id)
    const order = await settleDown(chance, shop, id)
    if (order.captured > 0) return afterwards(chance, shop, order)
    if (order.status === 'cancelled' || order.status === 'expired') return
  }
}

async function tryToPay(chance: Chance, shop: Shop, orderId: string): Promise<void> {
  const mode = chance.pick(['checkout', 'checkout', 'link', 'intent'])
  const captureMethod = chance.pick(['automatic', 'automatic', 'manual'])
  const how = chance.happens(0.3) ? { paymentMethodId: chance.pick(shop.cards) } : { mode }
  await shop.create(chance, 'POST /api/payments', { orderId, captureMethod, ...how })
  const { payments } = await readOrder(chance, shop, orderId)
  const open = payments.find(({ status }) => status === 'requires_action')
  if (!open) return
  await Promise.all([
    visit(chance, shop, open),
    ...(chance.happens(0.3) ? [interrupt(chance, shop, orderId, open)] : []),
  ])
}

/** While the customer pays. */
async function interrupt(chance: Chance, shop: Shop, orderId: string, payment: SeenPayment): Promise<void> {
  await Bun.sleep(chance.upTo(30))
  const kind = chance.pick(['order', 'payment', 'page', 'another payment'])
  if (kind === 'order') await shop.call(chance, `POST /api/orders/${orderId}/cancel`)
  else if (kind === 'payment') await shop.call(chance, `POST /api/payments/${payment.id}/cancel`)
  else if (kind === 'another payment') await shop.create(chance, 'POST /api/payments', { orderId, mode: 'intent' })
  else if (payment.providerReference?.startsWith('cs_'))
    await shop.stripe.checkout.sessions.expire(payment.providerReference).catch(() => null)
}

export const readOrder = (chance: Chance, shop: Shop, id: string): Promise<SeenOrder> =>
  shop.read<SeenOrder>(chance, `GET /api/orders/${id}`)

/** Until webhooks have told what the customer did, or it is asked for. Authorized payments are captured. */
async function settleDown(chance: Chance, shop: Shop, id: string): Promise<SeenOrder> {
  let order = await readOrder(chance, shop, id)
  for (let looks = 0; looks < 4 && order.captured === 0; looks += 1) {
    const open = order.payments.find(({ status }) => ['unknown', 'requires_action', 'authorized'].includes(status))
    if (!open) return order
    if (open.status === 'authorized') await capture(chance, shop, open)
    else if (looks < 2) await Bun.sleep(150 + chance.upTo(300))
    else await shop.call(chance, `POST /api/payments/${open.id}/check`)
    order = await readOrder(chance, shop, id)
  }
  return order
}

/** Sometimes by two people at once, for other amounts. */
async function capture(chance: Chance, shop: Shop, { id, authorized }: SeenPayment): Promise<void> {
  if (chance.happens(0.15)) return void (await shop.call(chance, `POST /api/payments/${id}/cancel`))
  const amount = () => (chance.happens(0.5) ? {} : { amount: Math.max(10, roundDown(chance.upTo(authorized))) })
  const captures = Array.from({ length: chance.happens(0.3) ? 2 : 1 }, () =>
    shop.call(chance, `POST /api/payments/${id}/capture`, { body: amount() }),
  )
  await Promise.all(captures)
}

/** Amounts of currencies with a third decimal are multiples of 10. */
const roundDown = (amount: number): number => amount - (amount % 10)

async function afterwards(chance: Chance, shop: Shop, order: SeenOrder): Promise<void> {
  const intent = order.payments.find(({ captured }) => captured > 0)?.providerReference ?? ''
  await Promise.all([
    refund(chance, shop, order),
    ...(intent.startsWith('pi_') && chance.happens(0.7) ? [answerDisputes(chance, shop, intent)] : []),
  ])
}

/** Several at once, of which some are too much together. */
async function refund(chance: Chance, shop: Shop, { id, captured }: SeenOrder): Promise<void> {
  const count = chance.upTo(4)
  await Promise.all(
    Array.from({ length: count }, async (_, at) => {
      const isAll = chance.happens(0.15)
      const amount = Math.max(10, roundDown(chance.upTo(captured)))
      await shop.create(chance, 'POST /api/refunds', {
        orderId: id,
        ...(!isAll && { amount }),
        note: `refund ${at + 1}`,
      })
    }),
  )
}
