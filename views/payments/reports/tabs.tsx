import { merchantHref, reportsPath } from './words.ts'

const tabs = [
  { id: 'takings', label: 'Takings', path: reportsPath },
  { id: 'fees', label: 'Fees', path: `${reportsPath}/fees` },
  { id: 'refunds', label: 'Refunds', path: `${reportsPath}/refunds` },
  { id: 'disputes', label: 'Disputes', path: `${reportsPath}/disputes` },
  { id: 'payouts', label: 'Payouts', path: `${reportsPath}/payouts` },
  { id: 'taxes', label: 'Taxes', path: `${reportsPath}/taxes` },
  { id: 'periods', label: 'Periods', path: `${reportsPath}/periods` },
  { id: 'accounts', label: 'Accounts', path: `${reportsPath}/accounts` },
] as const

type Tab = (typeof tabs)[number]['id']

export const ReportTabs = ({ current, merchantId }: { current: Tab; merchantId: string | undefined }) => (
  <nav class="tabs" aria-label="Report">
    {tabs.map(({ id, label, path }) => (
      <a href={merchantHref(path, merchantId)} aria-current={id === current ? 'page' : undefined}>
        {label}
      </a>
    ))}
  </nav>
)
