import type { Caller, World } from '../support/world.ts'
import { shopOf, type ShownPayment } from './shop.ts'

export interface ShownMethod {
  id: string
  type: string
  brand: string | null
  lastFour: string | null
  expiry: { month: number; year: number; state: string } | null
  isDefault: boolean
  isUsable: boolean | null
}

interface Setup {
  id: string
  url: string | null
  clientSecret: string | null
}

/** Numbers of cards that can be saved. */
export const savable = {
  visa: '4242424242424242',
  mastercard: '5555555555554444',
  declinedLater: '4000000000000341',
  authenticatedAlways: '4000002760003184',
} as const

/** A merchant whose customers save cards on the provider’s page. */
export function savingOf(world: World, seller: Caller = world.ada) {
  const shop = shopOf(seller, world.stranger)
  const list = async (customerId: string) =>
    (await seller.fetchJson<{ items: ShownMethod[] }>(`GET /api/customers/${customerId}/payment-methods`)).items
  const check = async (customerId: string) =>
    (await seller.fetchJson<{ items: ShownMethod[] }>(`POST /api/customers/${customerId}/payment-methods/check`)).items
  const setUp = (customerId: string, draft: object = {}) =>
    seller.fetchJson<Setup>(`POST /api/customers/${customerId}/setup-intents`, draft, 201)
  /** The customer fills in the page, and confirms with the bank where it asks. */
  const fillIn = async (url: string | null, number: string) => {
    const response = await shop.visit(url, { outcome: 'pay', email: 'c@example.com', number })
    const next = response.headers.get('location') ?? ''
    if (next.includes('/dev/payments/authenticate/')) await shop.visit(next, { outcome: 'complete' })
    return response
  }
  const charge = (orderId: string, paymentMethodId: string, draft: object = {}) =>
    seller.fetch('POST /api/payments', { orderId, paymentMethodId, ...draft })
  return {
    shop,
    list,
    check,
    setUp,
    fillIn,
    charge,
    create: async (draft: object = { name: 'Lena Vogt', email: 'lena.vogt@example.com' }) =>
      (await seller.fetchJson<{ id: string }>('POST /api/customers', draft, 201)).id,
    /** A card that is saved. */
    save: async (customerId: string, number: string = savable.visa): Promise<ShownMethod> => {
      const before = new Set((await list(customerId)).map(({ id }) => id))
      const { url } = await setUp(customerId)
      await fillIn(url, number)
      const added = (await check(customerId)).find(({ id }) => !before.has(id))
      if (!added) throw new Error('The card was not saved')
      return added
    },
    charged: async (orderId: string, paymentMethodId: string, status = 201) => {
      const response = await charge(orderId, paymentMethodId)
      const body = (await response.json()) as ShownPayment & {
        code?: string
        paymentId?: string
        insteadOf?: { paymentId: string; code: string } | null
      }
      if (response.status !== status) throw new Error(`${response.status}: ${JSON.stringify(body)}`)
      return body
    },
    remove: (customerId: string, methodId: string) =>
      seller.fetch(`DELETE /api/customers/${customerId}/payment-methods/${methodId}`),
    makeDefault: (customerId: string, methodId: string) =>
      seller.fetch(`PUT /api/customers/${customerId}/payment-methods/${methodId}/default`),
  }
}

export type Saving = ReturnType<typeof savingOf>
