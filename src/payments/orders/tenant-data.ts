import { tenantTable, type TenantData } from '#lib/tenant-data.ts'
import { disputes, orderEvents, orderLines, orderNumbers, orderPayments, orders, refunds, settings } from '../schema.ts'

export const ordersData: readonly TenantData[] = [
  tenantTable(refunds, {
    organization: refunds.organizationId,
    export: [
      ...(['id', 'organizationId', 'orderId', 'paymentId', 'status', 'amount', 'currency', 'reason', 'note'] as const),
      ...([
        'lines',
        'failureReason',
        'requestedBy',
        'responsibleId',
        'decidedBy',
        'decidedAt',
        'confirmedAlone',
        'createdAt',
      ] as const),
      ...(['providerRefundId', 'sentAt', 'settledAt'] as const),
    ],
    erasure: { organization: 'delete', person: 'keep' },
    retention: 'owner',
  }),
  tenantTable(disputes, {
    organization: disputes.organizationId,
    export: [
      ...(['id', 'organizationId', 'orderId', 'paymentId', 'providerDisputeId', 'status', 'reason', 'amount'] as const),
      ...(['currency', 'evidenceDueAt', 'openedAt', 'closedAt'] as const),
    ],
    erasure: { organization: 'delete' },
    retention: 'owner',
  }),
  tenantTable(orderPayments, {
    organization: orderPayments.organizationId,
    export: [
      ...(['id', 'organizationId', 'orderId', 'duplicateOf', 'mode', 'captureMethod', 'status', 'amount'] as const),
      ...(['accountKey', 'accountLostAt'] as const),
      ...(['authorized', 'captured', 'checkoutSessionId', 'paymentLinkId', 'paymentIntentId', 'chargeId'] as const),
      ...(['currency', 'providerCustomerId', 'providerPaymentMethodId'] as const),
      ...(['cardBrand', 'cardLastFour', 'failureCode', 'failureMessage', 'createdBy', 'createdAt'] as const),
    ],
    erasure: { organization: 'delete', person: 'keep' },
    retention: 'owner',
  }),
  tenantTable(orderEvents, {
    organization: orderEvents.organizationId,
    export: ['id', 'orderId', 'organizationId', 'kind', 'facts', 'by', 'at'],
    erasure: { organization: 'delete', person: 'keep' },
    retention: 'owner',
  }),
  tenantTable(orderLines, {
    organization: orderLines.organizationId,
    export: [
      ...(['orderId', 'organizationId', 'position', 'name', 'quantity', 'unitAmount', 'discount'] as const),
      ...(['taxRate', 'tax', 'total'] as const),
    ],
    erasure: { organization: 'delete' },
    retention: 'owner',
  }),
  tenantTable(orders, {
    organization: orders.organizationId,
    export: [
      ...(['id', 'organizationId', 'merchantId', 'venueId', 'customerId', 'number', 'status', 'currency'] as const),
      ...([
        'taxMode',
        'taxRounding',
        'subtotal',
        'discount',
        'tax',
        'total',
        'authorized',
        'captured',
        'refunded',
      ] as const),
      ...(['customerEmail', 'customerName', 'metadata', 'expiresAt', 'createdBy', 'createdAt', 'paidAt'] as const),
      'closedAt',
    ],
    erasure: { organization: 'delete', person: 'keep' },
    retention: 'owner',
  }),
  tenantTable(orderNumbers, {
    organization: orderNumbers.organizationId,
    export: { never: 'It only counts the orders.' },
    erasure: { organization: 'delete' },
    retention: 'owner',
  }),
  tenantTable(settings, {
    organization: settings.organizationId,
    export: ['organizationId', 'refundCeilings', 'batchCeilings', 'raised', 'updatedBy', 'updatedAt'],
    erasure: { organization: 'delete', person: 'keep' },
    retention: 'owner',
  }),
]
