import { createHandlingJob } from '#lib/incoming-webhooks/handle.ts'
import { newId } from '#lib/ids.ts'
import { stripeEvents } from '../../src/payments/webhooks/receive.ts'
import { checkSubscription } from '../../src/payments/subscriptions/sweep.ts'
import type { Caller, World } from '../support/world.ts'
import { handleWaiting, listen, until } from './provider.ts'

export interface ShownSubscription {
  id: string
  ownerId: string
  package: string
  seats: number
  unitAmount: number
  status: string
  access: string
  trialEndsAt: string | null
  currentPeriodEndsAt: string | null
  cancelAtPeriodEnd: boolean
  cancelAt: string | null
  endedAt: string | null
  keptUntil: string | null
  dunning: { attempts: number; nextAttemptAt: string | null; lastFailure: string | null; readOnlyAt: string } | null
}

export interface Started {
  subscription: ShownSubscription
  checkoutUrl: string | null
}

export interface ShownPreview {
  prorationDate: string
  amountDue: number
  total: number
  monthlyTotal: number
  unitAmount: number
  lines: { amount: number }[]
}

export interface ShownInvoice {
  number: string
  status: string
  total: number
  amountDue: number
  amountPaid: number
  url: string | null
}

const refusedLater = '4000000000000341'
export const subscriptionCards = { good: '4242424242424242', declined: '4000000000000002', refusedLater } as const

/** The website sells packages at the platform’s account of the practice provider, which sends events to a listener. */
export async function openSubscriptions(world: World) {
  const { sql } = world.database
  await sql`DELETE FROM payments.webhook_endpoints WHERE organization_id IS NULL`
  const listener = listen(world)
  const website = listener.caller(world.payServices['platform-dashboard-website'] ?? world.stranger)
  const ada = world.ada.things.organizations
  const draft = (more: object = {}) => ({
    package: 'ten',
    seats: 10,
    ownerId: ada,
    email: 'billing@acme.example',
    name: 'Acme',
    successUrl: 'https://atrium.example/done',
    cancelUrl: 'https://atrium.example/back',
    ...more,
  })
  const read = (id: string) => website.fetchJson<ShownSubscription>(`GET /api/subscriptions/${id}`)
  const start = (more: object = {}, status = 201) =>
    website.fetchJson<Started>('POST /api/subscriptions/checkout', draft(more), status)
  const visit = async (url: string | null, fields: Record<string, string>) => {
    const body = new URLSearchParams(fields).toString()
    const { pathname } = new URL(url ?? '', 'http://localhost')
    return listener.caller(world.stranger).fetch(`POST ${pathname}`, body, {
      'content-type': 'application/x-www-form-urlencoded',
    })
  }
  const pay = (url: string | null, number: string = subscriptionCards.good) =>
    visit(url, { outcome: 'pay', email: 'billing@acme.example', number })
  /** What arrives as webhooks is handled until the subscription is as expected. */
  const settled = (id: string, isDone: (shown: ShownSubscription) => boolean) =>
    until(async () => {
      await handleWaiting(world)
      return read(id)
    }, isDone)
  return {
    listener,
    website,
    draft,
    read,
    start,
    visit,
    pay,
    settled,
    /** One that is paid, of a new organization. */
    subscribe: async (more: object = {}, number?: string) => {
      const ownerId = await newOrganization(world)
      const { subscription, checkoutUrl } = await start({ ownerId, ...more })
      await pay(checkoutUrl, number)
      return settled(subscription.id, ({ status }) => status !== 'incomplete')
    },
    preview: (subscriptionId: string, change: object) =>
      website.fetchJson<ShownPreview>('POST /api/subscriptions/preview', { subscriptionId, ...change }),
    change: (id: string, change: object, status = 200) =>
      website.fetchJson<ShownSubscription & { code: string }>(`POST /api/subscriptions/${id}/change`, change, status),
    invoices: async (id: string) =>
      (await website.fetchJson<{ items: ShownInvoice[] }>(`GET /api/subscriptions/${id}/invoices`)).items,
    behave: (behavior: object) => world.stranger.fetchJson('PUT /dev/payments/behavior', behavior),
    /** As the schedule does. */
    check: (subscriptionId: string) => checkSubscription.run({ ...workOf(world), input: { subscriptionId } }),
    /** As if the period, or trial, ended now. */
    endPeriod: async (id: string) => {
      const provider = await providerIdOf(world, id)
      const end = Math.floor(Date.now() / 1000) - 1
      await sql`UPDATE practice_payments.objects SET data = jsonb_set(jsonb_set(data, '{items,data,0,current_period_end}',
        to_jsonb(${end}::int)), '{items,data,0,current_period_start}', to_jsonb(${end - 30 * 86_400}::int)) WHERE id = ${provider}`
      await sql`UPDATE practice_payments.tasks SET due_at = now() WHERE object_id = ${provider}`
      await wake(world)
    },
    /** The provider’s next try. */
    retryInvoice: async (id: string) => {
      const provider = await providerIdOf(world, id)
      await sql`UPDATE practice_payments.tasks SET due_at = now() WHERE kind = 'retry_invoice' AND object_id IN (
        SELECT id FROM practice_payments.objects WHERE type = 'invoice'
          AND data -> 'parent' -> 'subscription_details' ->> 'subscription' = ${provider})`
      await wake(world)
    },
    /** As the default of its customer, which the billing portal does. */
    savePaymentMethod: (id: string) => sql`
      UPDATE practice_payments.objects AS customer SET data = jsonb_set(customer.data,
        '{invoice_settings,default_payment_method}', sub.data -> 'default_payment_method')
      FROM practice_payments.objects AS sub JOIN payments.subscriptions AS own ON own.provider_subscription_id = sub.id
      WHERE own.id = ${id} AND customer.id = own.provider_customer_id`,
    charges: async (id: string) => {
      const rows = await sql<{ amount: number }[]>`
        SELECT (o.data ->> 'amount')::int AS amount FROM practice_payments.objects o
        JOIN payments.subscriptions s ON s.provider_customer_id = o.data ->> 'customer'
        WHERE o.type = 'charge' AND (o.data ->> 'paid')::boolean AND s.id = ${id} ORDER BY o.position`
      return rows.map(({ amount }) => amount)
    },
  }
}

export type Subscriptions = Awaited<ReturnType<typeof openSubscriptions>>

export const workOf = (world: World) => ({
  ...world.provided,
  database: world.database,
  now: () => new Date(),
})

/** Any change wakes up what is due at the provider. */
const wake = (world: World) => world.stranger.fetchJson('PUT /dev/payments/behavior', {})

const providerIdOf = async ({ database: { sql } }: World, id: string): Promise<string> => {
  const [row] = await sql<{ provider: string }[]>`
    SELECT provider_subscription_id AS provider FROM payments.subscriptions WHERE id = ${id}`
  return row?.provider ?? ''
}

export async function newOrganization({ database: { sql } }: World): Promise<string> {
  const id = newId()
  await sql`INSERT INTO identity.organizations (id, slug, name, created_at) VALUES (${id}, ${id}, 'Shop', now())`
  return id
}

/** Handles the stored events of a subscription again, in any order. */
export async function replayEvents(world: World, ids: readonly string[]): Promise<void> {
  const handling = createHandlingJob(stripeEvents)
  for (const id of ids) {
    const [row] = await world.database.sql<{ round: number }[]>`
      UPDATE platform.received_webhooks SET state = 'waiting', settled_at = NULL WHERE id = ${id} RETURNING round`
    await handling.run({ ...workOf(world), input: { id, round: row?.round ?? 1 } })
  }
}

export type { Caller }
