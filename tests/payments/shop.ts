import type { Caller } from '../support/world.ts'

/** Numbers of the practice provider’s test cards. */
export const cards = {
  good: '4242424242424242',
  declined: '4000000000000002',
  mastercard: '5555555555554444',
  disputed: '4000000000000259',
  pendingRefund: '4000000000007726',
  failedRefund: '4000000000005126',
  authenticated: '4000002760003184',
} as const

export interface ShownPayment {
  id: string
  orderId: string
  status: string
  captured: number
  authorized: number
  checkoutUrl: string | null
  clientSecret?: string | null
  failure: { code: string | null; message: string } | null
  card: { brand: string; lastFour: string } | null
  providerReference: string | null
}

export interface ShownRefund {
  id: string
  status: string
  amount: number
  providerReference: string | null
}

export interface ShownOrder {
  id: string
  number: string
  status: string
  currency: string
  subtotal: number
  discount: number
  tax: number
  total: number
  authorized: number
  captured: number
  refunded: number
  refundable: number
  lines: { name: string; discount: number; tax: number; total: number; taxRate: string }[]
  taxes: { rate: string; amount: number }[]
  payments: ShownPayment[]
  refunds: ShownRefund[]
  disputes: { id: string; status: string; amount: number }[]
  timeline: { kind: string; facts: Record<string, unknown> }[]
  merchant: { id: string; name: string }
  ledger: { kind: string; entries: { account: string; amount: number }[] }[] | null
  can: Record<string, boolean>
}

export const coffee = { currency: 'EUR', lines: [{ name: 'Latte', quantity: 2, unitAmount: 350 }] }

/** A merchant’s program, and the customers on the provider’s page. */
export function shopOf(seller: Caller, customer: Caller) {
  const order = (id: string) => seller.fetchJson<ShownOrder>(`GET /api/orders/${id}`)
  const createOrder = (draft: object = coffee) => seller.fetchJson<ShownOrder>('POST /api/orders', draft, 201)
  const createPayment = (orderId: string, draft: object = {}) =>
    seller.fetchJson<ShownPayment>('POST /api/payments', { orderId, ...draft }, 201)
  /** Sends the form of the provider’s page. */
  const visit = async (url: string | null, fields: Record<string, string>) => {
    const { pathname, search } = new URL(url ?? '', 'http://localhost')
    const body = new URLSearchParams(fields).toString()
    return customer.fetch(`POST ${pathname}${search}`, body, { 'content-type': 'application/x-www-form-urlencoded' })
  }
  const pay = (payment: ShownPayment, number: string = cards.good) =>
    visit(payment.checkoutUrl, { outcome: 'pay', email: 'c@example.com', number })
  const check = (payment: Pick<ShownPayment, 'id'>) =>
    seller.fetchJson<ShownPayment>(`POST /api/payments/${payment.id}/check`)
  return {
    order,
    createOrder,
    createPayment,
    visit,
    pay,
    check,
    /** An order that is paid. */
    sell: async (draft: object = coffee, number: string = cards.good) => {
      const { id } = await createOrder(draft)
      const payment = await createPayment(id)
      await pay(payment, number)
      await check(payment)
      return order(id)
    },
    /** What the ledger says of accounts by currency, of all merchants together. */
    balances: async () => {
      const { items } = await seller.fetchJson<{ items: { account: string; currency: string; balance: number }[] }>(
        'GET /api/ledger/balances?limit=100',
      )
      const sums: Record<string, number> = {}
      for (const { account, currency, balance } of items)
        sums[`${account} ${currency}`] = (sums[`${account} ${currency}`] ?? 0) + balance
      return sums
    },
  }
}

export type Shop = ReturnType<typeof shopOf>
