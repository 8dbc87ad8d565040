import { tenantTable, type TenantData } from '#lib/tenant-data.ts'
import { senderDomains, senders } from '../schema.ts'

export const sendersData: readonly TenantData[] = [
  tenantTable(senders, {
    organization: senders.organizationId,
    export: [
      ...([
        'id',
        'organizationId',
        'domainId',
        'address',
        'name',
        'replyTo',
        'usedFor',
        'isDefault',
        'pausedAt',
      ] as const),
      ...(['pausedReason', 'resumedAt', 'createdBy', 'createdAt'] as const),
    ],
    erasure: { organization: 'delete', person: 'keep' },
    retention: 'owner',
  }),
  tenantTable(senderDomains, {
    organization: senderDomains.organizationId,
    export: [
      ...(['id', 'organizationId', 'domain', 'kind', 'activeSelector', 'keyCreatedAt', 'findings'] as const),
      ...(['checkError', 'verifiedAt', 'failingSince', 'checkedAt', 'createdBy', 'createdAt'] as const),
    ],
    erasure: { organization: 'delete', person: 'keep' },
    retention: 'owner',
  }),
]
