import { tenantTable, type TenantData } from '#lib/tenant-data.ts'
import { socialConnections, socialTokenRefreshes } from '../schema.ts'
import { removeAccountsOf } from './accounts.ts'
import { keptMs } from './refreshes/stored.ts'

/** Reports can arrive this much later. */
const lateMs = 30 * 24 * 60 * 60_000

export const socialData: readonly TenantData[] = [
  tenantTable(socialTokenRefreshes, {
    organization: socialTokenRefreshes.organizationId,
    export: {
      never: 'It has tokens of accounts, and only while they are on their way to the service that stores them.',
    },
    erasure: { organization: 'delete' },
    retention: { after: socialTokenRefreshes.createdAt, ms: keptMs },
  }),
  tenantTable(socialConnections, {
    organization: socialConnections.organizationId,
    export: [
      ...(['id', 'organizationId', 'brandId', 'brandName', 'provider', 'name', 'host', 'health'] as const),
      ...(['connectedAt', 'lastUsedAt'] as const),
    ],
    erasure: { organization: ({ database: { db }, now }, id) => removeAccountsOf(db, id, now()) },
    retention: { after: socialConnections.removedAt, ms: lateMs },
  }),
]
