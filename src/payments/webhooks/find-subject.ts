import { and, eq, isNull, like, notLike, or, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Database } from '#lib/db.ts'
import { Id } from '#lib/ids.ts'
import { orderPayments, paymentMethods, providerCustomers, refunds, settlementItems, subscriptions } from '../schema.ts'
import type { ProviderObject } from './provider-event.ts'
import type { SubjectKind } from './subjects.ts'

export interface Subject {
  kind: SubjectKind
  id: string
  organizationId: string
}

/** Whose endpoint received an event. */
export interface EventOrigin {
  /** Null when the event doesn’t say which organization it is about. */
  organizationId: string | null
  /** Of the organization’s own account, else of the platform’s. */
  isOwn: boolean
}

type Find = (db: Database, object: ProviderObject, origin: EventOrigin) => Promise<Subject | null>

const equals = (column: PgColumn, value: string | null | undefined): SQL | undefined =>
  value ? eq(column, value) : undefined

const namedIn = ({ metadata }: ProviderObject, name: string): string | undefined => Id.safeParse(metadata?.[name]).data

interface Columns {
  organizationId: PgColumn
  accountKey: PgColumn
}

/**
 * A row of the organization, made at its own or at the platform’s account as the event, for which one of the conditions
 * holds; null without any.
 */
function anyOf(
  { organizationId: owner, accountKey }: Columns,
  { organizationId, isOwn }: EventOrigin,
  conditions: readonly (SQL | undefined)[],
): SQL | null {
  const given = conditions.filter((condition) => condition !== undefined)
  if (given.length === 0) return null
  const ownAccounts = 'organization:%'
  const level = isOwn ? like(accountKey, ownAccounts) : notLike(accountKey, ownAccounts)
  return (
    and(or(...given), or(isNull(accountKey), level), organizationId === null ? undefined : eq(owner, organizationId)) ??
    null
  )
}

const findPayment =
  (own: PgColumn | null): Find =>
  async (db, object, origin) => {
    const where = anyOf(orderPayments, origin, [
      own ? equals(own, object.id) : undefined,
      equals(orderPayments.paymentIntentId, object.payment_intent),
      equals(orderPayments.paymentLinkId, object.payment_link),
      equals(orderPayments.chargeId, object.charge),
      equals(orderPayments.id, namedIn(object, 'paymentId')),
    ])
    if (!where) return null
    const { id, organizationId: owner, duplicateOf } = orderPayments
    const [row] = await db
      .select({ id, organizationId: owner })
      .from(orderPayments)
      .where(where)
      // A duplicate has its own intent, but the metadata of the payment whose page was paid twice.
      .orderBy(isNull(duplicateOf))
      .limit(1)
    return row ? { kind: 'payment', ...row } : null
  }

/** One that was created at the provider itself only names its payment. */
const findRefunded: Find = async (db, object, origin) => {
  const where = anyOf(orderPayments, origin, [
    equals(refunds.providerRefundId, object.id),
    equals(refunds.id, namedIn(object, 'refundId')),
  ])
  const { paymentId: id, organizationId: owner } = refunds
  const found = db
    .select({ id, organizationId: owner })
    .from(refunds)
    .innerJoin(orderPayments, eq(orderPayments.id, refunds.paymentId))
  const [row] = where ? await found.where(where).limit(1) : []
  return row ? { kind: 'payment', ...row } : findPayment(null)(db, object, origin)
}

const findItem =
  (own: PgColumn): Find =>
  async (db, object, origin) => {
    const where = anyOf(settlementItems, origin, [
      equals(own, object.id),
      equals(settlementItems.id, namedIn(object, 'itemId')),
    ])
    if (!where) return null
    const { id, organizationId: owner } = settlementItems
    const [row] = await db.select({ id, organizationId: owner }).from(settlementItems).where(where).limit(1)
    return row ? { kind: 'item', ...row } : null
  }

/** Whose payment methods can have changed. One that was detached no longer names its customer. */
const findCustomer: Find = async (db, object, origin) => {
  const { customerId: id, organizationId: owner } = providerCustomers
  const isCustomer = object.object === 'customer'
  const known = anyOf(providerCustomers, origin, [
    equals(providerCustomers.providerCustomerId, isCustomer ? object.id : object.customer),
  ])
  const [row] = known
    ? await db.select({ id, organizationId: owner }).from(providerCustomers).where(known).limit(1)
    : await findOwner(db, object, origin)
  return row ? { kind: 'customer', ...row } : null
}

async function findOwner(db: Database, object: ProviderObject, origin: EventOrigin) {
  const { customerId: id, organizationId: owner } = paymentMethods
  const where = anyOf(paymentMethods, origin, [equals(paymentMethods.providerPaymentMethodId, object.id)])
  return where ? db.select({ id, organizationId: owner }).from(paymentMethods).where(where).limit(1) : []
}

/** What the platform bills itself, at its own account. */
const findSubscription: Find = async (db, object, { isOwn }) => {
  const where = anyOf(subscriptions, { organizationId: null, isOwn }, [
    equals(
      subscriptions.providerSubscriptionId,
      object.object === 'subscription' ? object.id : (object.parent?.subscription_details?.subscription ?? null),
    ),
    object.object === 'checkout.session' ? equals(subscriptions.checkoutSessionId, object.id) : undefined,
    equals(subscriptions.id, namedIn(object, 'subscriptionId')),
  ])
  if (!where) return null
  const { id, organizationId: owner } = subscriptions
  const [row] = await db.select({ id, organizationId: owner }).from(subscriptions).where(where).limit(1)
  return row ? { kind: 'subscription', ...row } : null
}

const findSession: Find = async (db, object, origin) =>
  object['mode'] === 'setup'
    ? findCustomer(db, object, origin)
    : ((await findPayment(orderPayments.checkoutSessionId)(db, object, origin)) ?? findSubscription(db, object, origin))

/** By the provider’s name of the object’s type. */
const finders: Readonly<Record<string, Find>> = {
  'checkout.session': findSession,
  customer: findCustomer,
  payment_method: findCustomer,
  setup_intent: findCustomer,
  payment_intent: findPayment(orderPayments.paymentIntentId),
  payment_link: findPayment(orderPayments.paymentLinkId),
  charge: findPayment(orderPayments.chargeId),
  dispute: findPayment(null),
  refund: findRefunded,
  payout: findItem(settlementItems.payoutId),
  transfer: findItem(settlementItems.transferId),
  subscription: findSubscription,
  invoice: findSubscription,
}

/** Our row that an object of the provider is about. */
export const findSubject: Find = async (db, object, origin) => finders[object.object]?.(db, object, origin) ?? null
