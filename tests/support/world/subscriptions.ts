import { serviceTokens } from '#identity'
import type { Provided } from '#lib/call.ts'
import type { DatabaseHandle } from '#lib/db.ts'
import { newId } from '#lib/ids.ts'
import { checkSubscription } from '../../../src/payments/subscriptions/sweep.ts'
import { bearer, callerOf, type Handle } from './callers.ts'
import { payAtProvider } from './resources.ts'

export type SubscriptionResource = 'subscriptions' | 'subscriptionForwards' | 'buyers'

/** Of no organization, and settled. */
export const worldCheckout = '01890000-0000-7000-8000-00000000c0de'

interface Parts {
  handle: Handle
  database: DatabaseHandle
  provided: Provided
}

/** The organization’s trial of a package with its change for the dashboard, and another organization that has none. */
export async function addSubscription(
  { handle, database, provided }: Parts,
  ownerId: string,
): Promise<Record<SubscriptionResource, string>> {
  const { db, sql } = database
  const now = () => new Date()
  const token = await serviceTokens(
    { db, secrets: provided.secrets, now },
    'platform-dashboard-website',
  )('platform-pay')
  const website = callerOf(handle, bearer(token))
  const draft = {
    package: 'ten',
    seats: 10,
    trialDays: 90,
    ownerId,
    email: 'billing@shop.example',
    name: 'Shop',
    successUrl: 'https://atrium.example/done',
    cancelUrl: 'https://atrium.example/back',
  }
  const { subscription, checkoutUrl } = await website.fetchJson<{ subscription: { id: string }; checkoutUrl: string }>(
    'POST /api/subscriptions/checkout',
    draft,
    201,
  )
  await payAtProvider(website.fetch, checkoutUrl)
  await checkSubscription.run({ ...provided, database, now, input: { subscriptionId: subscription.id } })
  const [forward] = await sql<{ id: string }[]>`
    SELECT id FROM payments.subscription_forwards WHERE subscription_id = ${subscription.id}`
  await sql`
    INSERT INTO dashboard.checkouts (id, package, seats, email, organization_name, secret_hash, state, paid_at, ready_at, apps)
    VALUES (${worldCheckout}, 'three', 4, 'buyer@shop.example', 'Shop', ${'0'.repeat(64)}, 'ready', now(), now(), 2)
    ON CONFLICT DO NOTHING`
  const buyers = newId()
  await sql`INSERT INTO identity.organizations (id, slug, name, created_at) VALUES (${buyers}, ${buyers}, 'Buyer', now())`
  return { subscriptions: subscription.id, subscriptionForwards: forward?.id ?? '', buyers }
}
