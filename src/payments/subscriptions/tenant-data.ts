import { tenantTable, type TenantData } from '#lib/tenant-data.ts'
import {
  subscriptionChanges,
  subscriptionForwards,
  subscriptionInvoices,
  subscriptionNotices,
  subscriptions,
} from '../schema.ts'

const day = 24 * 60 * 60 * 1000

/** At the provider, a subscription is canceled before: see erasure/leave-provider.ts. */
export const subscriptionsData: readonly TenantData[] = [
  tenantTable(subscriptionForwards, {
    organization: subscriptionForwards.organizationId,
    export: { never: 'It repeats the subscription for the dashboard.' },
    erasure: { organization: 'delete' },
    retention: { after: subscriptionForwards.settledAt, ms: 90 * day },
  }),
  tenantTable(subscriptionNotices, {
    organization: subscriptionNotices.organizationId,
    export: ['subscriptionId', 'step', 'organizationId', 'sentAt'],
    erasure: { organization: 'delete' },
    retention: 'owner',
  }),
  tenantTable(subscriptionInvoices, {
    organization: subscriptionInvoices.organizationId,
    export: [
      ...(['id', 'organizationId', 'subscriptionId', 'providerInvoiceId', 'number', 'status', 'reason'] as const),
      ...(['currency', 'total', 'amountDue', 'amountPaid', 'attempts', 'periodStartsAt'] as const),
      ...(['periodEndsAt', 'url', 'pdfUrl', 'issuedAt', 'paidAt'] as const),
    ],
    erasure: { organization: 'delete' },
    retention: 'owner',
  }),
  tenantTable(subscriptionChanges, {
    organization: subscriptionChanges.organizationId,
    export: [
      ...(['id', 'organizationId', 'subscriptionId', 'package', 'seats', 'priceId', 'prorationDate'] as const),
      ...(['amountDue', 'state', 'createdAt', 'settledAt'] as const),
    ],
    erasure: { organization: 'delete' },
    retention: 'owner',
  }),
  tenantTable(subscriptions, {
    organization: subscriptions.organizationId,
    export: [
      ...(['id', 'ownerType', 'organizationId', 'package', 'seats', 'priceId', 'status', 'access', 'email'] as const),
      ...(['name', 'trialDays', 'providerCustomerId', 'providerSubscriptionId', 'trialEndsAt'] as const),
      ...(['currentPeriodStartsAt', 'currentPeriodEndsAt', 'cancelAtPeriodEnd', 'cancelAt'] as const),
      ...(['startedAt', 'endedAt', 'pastDueSince', 'attempts', 'nextAttemptAt', 'lastFailure'] as const),
      'createdAt',
    ],
    erasure: { organization: 'delete' },
    retention: 'owner',
  }),
]
