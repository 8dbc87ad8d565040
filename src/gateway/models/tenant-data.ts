import { tenantTable, type TenantData } from '#lib/tenant-data.ts'
import { modelAllowLists, modelPrices, modelRoutes } from '../schema.ts'

export const modelsData: readonly TenantData[] = [
  tenantTable(modelRoutes, {
    organization: modelRoutes.organizationId,
    export: ['id', 'organizationId', 'useCase', 'models', 'updatedBy', 'updatedAt'],
    erasure: { organization: 'delete', person: 'keep' },
    retention: 'owner',
  }),
  tenantTable(modelAllowLists, {
    organization: modelAllowLists.organizationId,
    export: ['organizationId', 'models', 'updatedBy', 'updatedAt'],
    erasure: { organization: 'delete', person: 'keep' },
    retention: 'owner',
  }),
  tenantTable(modelPrices, {
    organization: modelPrices.organizationId,
    export: [
      ...(['id', 'organizationId', 'provider', 'model', 'rates', 'since', 'reason', 'createdBy', 'createdAt'] as const),
    ],
    erasure: { organization: 'delete', person: 'keep' },
    retention: 'owner',
  }),
]
