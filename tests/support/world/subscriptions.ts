import { serviceTokens } from '#identity'
import type { Provided } from '#lib/call.ts'
import type { DatabaseHandle } from '#lib/db.ts'
import { newId } from '#lib/ids.ts'
import { checkSubscription } from '../../../src/payments/subscriptions/sweep.ts'
import { bearer, callerOf, type Handle } from './callers.ts'
import { payAtProvider } from './resources.ts'

export type SubscriptionResource = 'subscriptions' | 'subscriptionForwards' | 'buyers'

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
  const buyers = newId()
  await sql`INSERT INTO identity.organizations (id, slug, name, created_at) VALUES (${buyers}, ${buyers}, 'Buyer', now())`
  return { subscriptions: subscription.id, subscriptionForwards: forward?.id ?? '', buyers }
}
