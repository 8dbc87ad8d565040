import { tenantTable, type TenantData } from '#lib/tenant-data.ts'
import { customers, paymentMethods, providerCustomers } from '../schema.ts'

export const customersData: readonly TenantData[] = [
  tenantTable(paymentMethods, {
    organization: paymentMethods.organizationId,
    export: [
      ...(['id', 'organizationId', 'customerId', 'accountKey', 'providerPaymentMethodId', 'type', 'brand'] as const),
      ...(['lastFour', 'expiryMonth', 'expiryYear', 'isDefault', 'createdAt'] as const),
    ],
    erasure: { organization: 'delete' },
    retention: 'owner',
  }),
  tenantTable(providerCustomers, {
    organization: providerCustomers.organizationId,
    export: ['customerId', 'accountKey', 'organizationId', 'providerCustomerId', 'createdAt', 'readAt'],
    erasure: { organization: 'delete' },
    retention: 'owner',
  }),
  tenantTable(customers, {
    organization: customers.organizationId,
    export: [
      ...(['id', 'organizationId', 'kind', 'name', 'email', 'phone', 'address', 'taxNumber', 'language'] as const),
      ...(['note', 'metadata', 'archivedAt', 'erasedAt', 'createdBy', 'createdAt'] as const),
    ],
    erasure: { organization: 'delete', person: 'keep' },
    retention: 'owner',
  }),
]
