import { checkRefundJob, sweepRefunds } from '../../src/payments/refunds/sweep.ts'
import type { Caller } from '../support/world/callers.ts'
import type { World } from '../support/world.ts'
import type { ShownOrder } from './shop.ts'

export interface ShownRefund {
  id: string
  orderId: string
  orderNumber: string
  status: string
  amount: number
  reason: string
  note: string | null
  failureReason: string | null
  requestedBy: string | null
  decidedBy: string | null
  confirmedAlone: string | null
  providerReference: string | null
  nextCheckAt: string | null
  lines: { position: number; quantity: number; amount: number }[]
  can: Record<string, boolean>
}

interface ProviderRefund {
  id: string
  amount: number
  status: string
}

export interface Refused {
  status: number
  problem: Record<string, unknown>
}

/** A merchant who gives money back. */
export function refundsOf(world: World, seller: Caller = world.ada) {
  const act = (id: string, action: string, body: object = {}) =>
    seller.fetchJson<ShownRefund>(`POST /api/refunds/${id}/${action}`, body)
  const work = { ...world.provided, database: world.database, now: () => new Date() }
  return {
    create: (draft: object, status = 201) => seller.fetchJson<ShownRefund>('POST /api/refunds', draft, status),
    read: (id: string) => seller.fetchJson<ShownRefund>(`GET /api/refunds/${id}`),
    list: async (query: string) =>
      (await seller.fetchJson<{ items: ShownRefund[] }>(`GET /api/refunds?limit=100&${query}`)).items,
    act,
    check: (id: string) => act(id, 'check'),
    retry: (id: string) => act(id, 'retry'),
    refusal: async (route: string, body: object = {}): Promise<Refused> => {
      const response = await seller.fetch(route, body)
      return { status: response.status, problem: await response.json() }
    },
    /** What the provider holds of an order’s payment. */
    atProvider: async ({ payments }: Pick<ShownOrder, 'payments'>) => {
      const intent = payments.find(({ status }) => status === 'succeeded')?.providerReference
      const route = `GET /platform/payments/refunds?paymentIntent=${intent}&limit=100`
      return (await world.payments.fetchJson<{ items: ProviderRefund[] }>(route)).items
    },
    behave: (behavior: object) => world.stranger.fetchJson('PUT /dev/payments/behavior', behavior),
    /** What the schedule and the workers of a server do. */
    sweep: async (refundId: string) => {
      await sweepRefunds.run({ ...work, input: {} })
      await checkRefundJob.run({ ...work, input: { refundId, organizationId: world.ada.things.organizations } })
    },
    /** Titles of what people have to do about a refund. */
    actions: async (id: string) => {
      const rows = await world.database.sql<{ title: string; actions: { href: string }[] }[]>`
        SELECT title, actions FROM platform.raised_actions
        WHERE href = ${`/pay/refunds/${id}`} AND resolved_at IS NULL`
      return rows.map(({ title, actions }) => [title, ...actions.map(({ href }) => href)])
    },
  }
}
