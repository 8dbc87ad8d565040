import { newId } from '#lib/ids.ts'
import { applySubscription } from '../../../src/dashboard/checkout/jobs.ts'
import { forwardChanges } from '../../../src/payments/subscriptions/forwarding/deliver.ts'
import { openSubscriptions, workOf } from '../../payments/subscribing.ts'
import { bearer, callerOf, type Caller } from '../../support/world/callers.ts'
import { password, type World } from '../../support/world.ts'

export interface ShownBilling {
  subscription: {
    id: string
    package: string
    seats: number
    status: string
    access: string
    cancelAtPeriodEnd: boolean
    cancelAt: string | null
    currentPeriodEndsAt: string | null
    dunning: { attempts: number } | null
  } | null
  invoices: { status: string; total: number; url: string | null }[]
  plannedInvoice: { at: string; currency: string; amount: number } | null
  prices: { package: string }[]
  apps: { used: number; allowed: number | null }
  seats: { used: number; paid: number | null }
}

export interface ShownQuote {
  package: string
  seats: number
  lines: { amount: number }[]
  total: number
  amountDue: number
  monthlyTotal: number
  prorationDate: string
}

export interface Owner extends Caller {
  organizationId: string
  /** The path of their organization’s billing. */
  path: string
}

/** Owners of organizations that pay at the practice provider, which sends events to a listener. */
export async function openBilling(world: World) {
  const { sql } = world.database
  const shop = await openSubscriptions(world)
  const { listener } = shop
  const owner = async (): Promise<Owner> => {
    const draft = { email: `${newId()}@example.com`, password, name: 'Olga', createOrganization: true }
    const made = await world.stranger.fetchJson<{ organization: { id: string }; accessToken: string }>(
      'POST /register',
      draft,
      201,
    )
    const { id: organizationId } = made.organization
    const caller = listener.caller(callerOf(world.handle, bearer(made.accessToken)))
    return { ...caller, organizationId, path: `/api/organizations/${organizationId}/billing` }
  }
  const read = ({ fetchJson, path }: Owner) => fetchJson<ShownBilling>(`GET ${path}`)
  const newestOf = async ({ organizationId }: Owner): Promise<string> => {
    const [row] = await sql<{ id: string }[]>`
      SELECT id FROM payments.subscriptions WHERE organization_id = ${organizationId} ORDER BY id DESC LIMIT 1`
    return row?.id ?? ''
  }
  /** The dashboard learns the newest state and does what it asks for. */
  const apply = async (subscriptionId: string) => {
    await forwardChanges.run({ ...workOf(world), input: { subscriptionId } })
    await applySubscription.run({ ...workOf(world), input: { subscriptionId } })
  }
  const order = async (by: Owner, choice: object) => {
    const { url } = await by.fetchJson<{ url: string }>(`POST ${by.path}/checkout`, choice)
    await shop.pay(url)
    const id = await newestOf(by)
    await shop.settled(id, ({ status }) => status === 'active')
    await apply(id)
    return id
  }
  return {
    shop,
    owner,
    read,
    apply,
    order,
    newestOf,
    preview: (by: Owner, choice: Record<string, string>) =>
      by.fetchJson<ShownQuote>(`GET ${by.path}/preview?${new URLSearchParams(choice)}`),
    /** As if it were in the middle of its period. */
    halfway: async (id: string) => {
      const start = Math.floor(Date.now() / 1_000) - 15 * 86_400
      await sql`UPDATE practice_payments.objects SET data = jsonb_set(jsonb_set(data,
          '{items,data,0,current_period_start}', to_jsonb(${start}::int)),
          '{items,data,0,current_period_end}', to_jsonb(${start + 30 * 86_400}::int))
        WHERE id = (SELECT provider_subscription_id FROM payments.subscriptions WHERE id = ${id})`
      await shop.check(id)
    },
    /** As if its payment had failed so many days ago. */
    age: async (id: string, days: number) => {
      await sql`UPDATE payments.subscriptions SET past_due_since = now() - ${days} * interval '1 day',
        version = version + 1 WHERE id = ${id}`
      await shop.check(id)
      await apply(id)
    },
    /** As the provider does after its last attempt. */
    endAtProvider: async (id: string) => {
      const [row] = await sql<{ organizationId: string; accountKey: string; provider: string }[]>`
        SELECT organization_id AS "organizationId", account_key AS "accountKey", provider_subscription_id AS provider
        FROM payments.subscriptions WHERE id = ${id}`
      if (!row) throw new Error('There is no subscription')
      const { provider, ...payer } = row
      await world.provided.gateway.payments.cancelSubscription({ ...payer, id: provider, idempotencyKey: newId() })
      await shop.settled(id, ({ status }) => status === 'canceled')
      await apply(id)
    },
    /** Past what invitations allow. */
    crowd: ({ organizationId }: Owner, people: number) => sql`
      INSERT INTO identity.memberships (user_id, organization_id, role, created_at)
      SELECT id, ${organizationId}, 'viewer', now() FROM identity.users ORDER BY id LIMIT ${people}`,
  }
}

export type BillingDesk = Awaited<ReturnType<typeof openBilling>>
