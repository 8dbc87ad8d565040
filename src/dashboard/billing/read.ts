import type { z } from 'zod'
import { presentedBy } from '#identity'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { conflict, notFound } from '#lib/errors.ts'
import type { Billing } from './contract.ts'

type OwnerCall = Call<unknown, Actor>
type Subscriptions = Awaited<ReturnType<OwnerCall['subscriptions']['ofOrganization']>>['items']

const maxInvoices = 20

/** The open package, else the free one, else what ended last. */
async function findSubscription(call: OwnerCall, organizationId: string): Promise<Subscriptions[number] | null> {
  if (call.actor.organization?.id !== organizationId) throw notFound('organization')
  const { items } = await call.subscriptions.ofOrganization(organizationId)
  const started = items.filter(({ access }) => access !== 'none')
  const open = started.filter(({ status }) => status !== 'canceled')
  return open.find(({ package: name }) => name !== 'free') ?? open[0] ?? started[0] ?? null
}

/** @throws {Problem} 404, 409 `no_subscription` */
export async function requireSubscription(call: OwnerCall, organizationId: string): Promise<Subscriptions[number]> {
  const found = await findSubscription(call, organizationId)
  if (!found) throw conflict('no_subscription', 'This organization has no subscription. Choose a package first.')
  return found
}

/** Whether an order still isn’t paid after its check at the provider. */
async function checkOrder(call: OwnerCall, organizationId: string): Promise<boolean> {
  if (call.actor.organization?.id !== organizationId) throw notFound('organization')
  const { items } = await call.subscriptions.ofOrganization(organizationId)
  const order = items.find(({ status }) => status === 'incomplete')
  if (!order) return false
  const { subscription } = await call.subscriptions.check(order.id)
  return subscription.status === 'incomplete'
}

/** @throws {Problem} 404 for another organization, 503 */
export async function readBilling(
  call: OwnerCall,
  organizationId: string,
  ordered = false,
): Promise<z.input<typeof Billing>> {
  const isUnpaid = ordered && (await checkOrder(call, organizationId))
  const subscription = await findSubscription(call, organizationId)
  const [{ items: prices }, { used, allowed, seats }, invoices] = await Promise.all([
    call.subscriptions.packages(),
    call.identity.entitlement(organizationId),
    subscription ? call.subscriptions.invoices(subscription.id, maxInvoices) : { items: [] },
  ])
  const isPaidFor = subscription?.access === 'full' && subscription.package !== 'free'
  return {
    organizationId,
    subscription,
    isConfirming: isUnpaid || (ordered && isPaidFor && seats.paid !== subscription.seats),
    invoices: invoices.items,
    plannedInvoice: subscription && plannedInvoiceOf(subscription),
    prices,
    apps: { used, allowed },
    seats: { used: seats.used, paid: seats.paid },
  }
}

function plannedInvoiceOf(subscription: Subscriptions[number]): z.input<typeof Billing>['plannedInvoice'] {
  const {
    access,
    status,
    currentPeriodEndsAt: at,
    cancelAtPeriodEnd,
    cancelAt,
    currency,
    unitAmount,
    seats,
  } = subscription
  const isRenewed = !cancelAtPeriodEnd || (at && cancelAt && Date.parse(cancelAt) > Date.parse(at))
  if (!at || !isRenewed || access === 'ended' || status === 'canceled') return null
  return { at, currency, amount: unitAmount * seats }
}

/** Who pays, and for what. @throws {Problem} 404 for another organization */
export async function readBuyer(call: OwnerCall, organizationId: string) {
  if (call.actor.organization?.id !== organizationId) throw notFound('organization')
  const { user, organization } = await call.identity.me(presentedBy(call.request))
  return { user, organization: organization?.name ?? user.name }
}
