import type { PaymentAuditOptions } from '#payments/types'
import type { AuditFilter, AuditPlace } from '#views/ui/audit/filter.ts'
import { AuditFilters } from '#views/ui/audit/filters.tsx'
import { AuditList, type AuditListProps } from '#views/ui/audit/list.tsx'
import { PageHeader } from '#views/ui/page-header.tsx'
import { TimesIn } from '#views/ui/time.tsx'
import { ExportLink } from '../export-link.tsx'

const pages: Readonly<Record<string, string>> = {
  customer: '/pay/customers',
  invoice: '/pay/invoices',
  merchant: '/pay/merchants',
  order: '/pay/orders',
  refund: '/pay/refunds',
  settlement: '/pay/settlements',
}

export const auditPlace: AuditPlace = {
  page: '/pay/audit',
  list: '/api/pay/audit',
  objects: {
    order: 'Orders',
    payment: 'Payments',
    refund: 'Refunds',
    invoice: 'Invoices',
    customer: 'Customers',
    merchant: 'Merchants',
    venue: 'Venues',
    settlement: 'Settlements',
    subscription: 'Subscription',
    ledger_transaction: 'Ledger',
    accounting_period: 'Accounting periods',
    payment_settings: 'Settings',
    payment_webhook_endpoint: 'Webhooks',
  },
  pathOf: (kind, id) => pages[kind] && `${pages[kind]}/${id}`,
}

interface AuditPageProps extends Omit<AuditListProps, 'place'> {
  filter: AuditFilter
  options: PaymentAuditOptions
}

export const AuditPage = ({ filter, options, ...list }: AuditPageProps) => (
  <>
    <PageHeader title="Audit log" status={<TimesIn />}>
      <div class="actions">
        <ExportLink from={`${auditPlace.list}/export`} query={list.query} />
      </div>
    </PageHeader>
    <div class="page stack" style="--measure: 72rem; --gap: var(--space-6)">
      <AuditFilters place={auditPlace} filter={filter} {...options} />
      <AuditList place={auditPlace} {...list} />
    </div>
  </>
)
