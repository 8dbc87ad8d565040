import { newId } from '#lib/ids.ts'
import { applySubscription, checkOpenCheckout } from '../../../src/dashboard/checkout/jobs.ts'
import { forwardChanges } from '../../../src/payments/subscriptions/forwarding/deliver.ts'
import { checkSubscription } from '../../../src/payments/subscriptions/sweep.ts'
import { handleWaiting, listen, until } from '../../payments/provider.ts'
import { workOf } from '../../payments/subscribing.ts'
import { callerOf } from '../../support/world/callers.ts'
import type { Caller, World } from '../../support/world.ts'

export interface ShownCheckout {
  id: string
  state: string
  email: string | null
  checkoutUrl: string | null
  problem: string | null
  apps: number | null
  can: { signIn: boolean }
}

export interface Bought {
  id: string
  checkoutUrl: string
  /** The browser that began it. */
  browser: Caller
  email: string
}

/** Strangers who buy packages at the practice provider, which sends events to a listener. */
export async function openWebsite(world: World) {
  const { sql } = world.database
  await sql`DELETE FROM payments.webhook_endpoints WHERE organization_id IS NULL`
  const listener = listen(world)
  const stranger = listener.caller(world.stranger)
  const subscriptionOf = async (id: string): Promise<string> => {
    const [row] = await sql<{ id: string }[]>`SELECT subscription_id AS id FROM dashboard.checkouts WHERE id = ${id}`
    return row?.id ?? ''
  }
  const begin = async (more: object = {}): Promise<Bought> => {
    const email = `${newId()}@example.com`
    const draft = { package: 'three', seats: 4, email, organizationName: 'Corner Bakery', ...more }
    const answer = await stranger.fetch('POST /api/checkout', draft)
    if (answer.status !== 201) throw new Error(`${answer.status} ${await answer.text()}`)
    const started: { id: string; checkoutUrl: string } = await answer.json()
    const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const atListener = (request: Request) =>
      world.handle(new Request(request.url.replace('http://localhost', listener.origin), request))
    return {
      ...started,
      email: 'email' in more ? String(more.email) : email,
      browser: callerOf(atListener, { cookie }),
    }
  }
  const visit = (url: string, fields: Record<string, string>) =>
    stranger.fetch(`POST ${new URL(url).pathname}`, new URLSearchParams(fields).toString(), {
      'content-type': 'application/x-www-form-urlencoded',
    })
  const apply = (subscriptionId: string) => applySubscription.run({ ...workOf(world), input: { subscriptionId } })
  const forward = (subscriptionId: string) => forwardChanges.run({ ...workOf(world), input: { subscriptionId } })
  return {
    listener,
    stranger,
    begin,
    subscriptionOf,
    apply,
    forward,
    pay: ({ checkoutUrl, email }: Bought, number = '4242424242424242') =>
      visit(checkoutUrl, { outcome: 'pay', email, number }),
    decline: ({ checkoutUrl }: Bought) => visit(checkoutUrl, { outcome: 'decline' }),
    read: ({ id, browser }: Bought) => browser.fetchJson<ShownCheckout>(`GET /api/checkout/${id}`),
    /** What payments knows, from the provider’s webhook. */
    webhook: async ({ id }: Bought) => {
      const subscriptionId = await subscriptionOf(id)
      await until(
        async () => {
          await handleWaiting(world)
          const [row] = await sql<{ status: string }[]>`
            SELECT status FROM payments.subscriptions WHERE id = ${subscriptionId}`
          return row?.status
        },
        (status) => status !== 'incomplete',
      )
      return subscriptionId
    },
    /** As the schedule of payments does. */
    sync: (subscriptionId: string) => checkSubscription.run({ ...workOf(world), input: { subscriptionId } }),
    /** As the schedule of the dashboard does. */
    check: ({ id }: Bought) => checkOpenCheckout.run({ ...workOf(world), input: { checkoutId: id } }),
    /** Everything until the organization is there. */
    settle: async (subscriptionId: string) => {
      await forward(subscriptionId)
      await apply(subscriptionId)
    },
    organizationOf: async (email: string) => {
      const [row] = await sql<{ id: string; seats: number; mode: string; apps: string[]; users: number }[]>`
        SELECT o.id, (o.settings -> 'appEntitlement' ->> 'seats')::int AS seats, o.settings -> 'appEntitlement' ->> 'mode' AS mode,
          (SELECT array_agg(s.slug ORDER BY s.slug) FROM identity.service_access a JOIN identity.services s ON s.id = a.service_id
            WHERE a.organization_id = o.id AND s.paid) AS apps
        FROM identity.users u JOIN identity.memberships m ON m.user_id = u.id AND m.role = 'owner'
        JOIN identity.organizations o ON o.id = m.organization_id WHERE u.email = ${email}`
      return row ?? null
    },
    charges: async ({ id }: Bought) => {
      const rows = await sql<{ amount: number; refunded: number }[]>`
        SELECT (o.data ->> 'amount')::int AS amount, (o.data ->> 'amount_refunded')::int AS refunded
        FROM practice_payments.objects o JOIN payments.subscriptions s ON s.provider_customer_id = o.data ->> 'customer'
        JOIN dashboard.checkouts c ON c.subscription_id = s.id
        WHERE o.type = 'charge' AND (o.data ->> 'paid')::boolean AND c.id = ${id}`
      return [...rows]
    },
  }
}

export type Website = Awaited<ReturnType<typeof openWebsite>>
