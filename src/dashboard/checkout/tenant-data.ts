import { tenantTable, type TenantData } from '#lib/tenant-data.ts'
import { checkouts, freeWorkspaces, platformSubscriptions, subscriptionEvents } from '../schema.ts'

const dayMs = 24 * 60 * 60_000

export const checkoutData: readonly TenantData[] = [
  tenantTable(subscriptionEvents, {
    organization: subscriptionEvents.holderId,
    export: { never: 'Which changes of the subscription were received.' },
    erasure: { organization: 'delete' },
    retention: { after: subscriptionEvents.receivedAt, ms: 90 * dayMs },
  }),
  tenantTable(checkouts, {
    organization: checkouts.organizationId,
    person: checkouts.personId,
    export: [
      ...(['id', 'package', 'seats', 'email', 'organizationName', 'state', 'organizationId', 'apps'] as const),
      ...(['paidAt', 'readyAt', 'signedInAt', 'createdAt'] as const),
    ],
    erasure: { organization: 'delete', person: 'delete' },
    retention: { after: checkouts.createdAt, ms: 90 * dayMs },
  }),
  tenantTable(freeWorkspaces, {
    organization: freeWorkspaces.holderId,
    export: ['id', 'ownerType', 'holderId', 'status', 'access', 'state', 'verifiedUntil', 'createdAt'],
    erasure: { organization: 'delete' },
    retention: 'owner',
  }),
  tenantTable(platformSubscriptions, {
    organization: platformSubscriptions.holderId,
    export: [
      ...(['id', 'ownerType', 'holderId', 'package', 'seats', 'status', 'access', 'state', 'suspendedApps'] as const),
      ...(['receivedAt', 'createdAt'] as const),
    ],
    erasure: { organization: 'delete' },
    retention: 'owner',
  }),
]
