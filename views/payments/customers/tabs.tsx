import type { CustomerCounts } from '#payments/types'
import { Badge } from '#views/ui/marks.tsx'
import { countText } from '../count.ts'
import { customersHref, type CustomersFilter } from './filters.tsx'

interface Tab {
  label: string
  count: number
  filter: CustomersFilter
}

export const CustomerTabs = ({ counts, filter }: { counts: CustomerCounts; filter: CustomersFilter }) => {
  const { q, country } = filter
  const tabs: Tab[] = [
    { label: 'All', count: counts.all, filter: {} },
    { label: 'Companies', count: counts.companies, filter: { kind: 'company' } },
    { label: 'Needs action', count: counts.attention, filter: { attention: 'open' } },
    { label: 'Archived', count: counts.archived, filter: { state: 'archived' } },
  ]
  return (
    <nav class="tabs" id="customer-tabs" aria-label="Show">
      {tabs.map((tab) => (
        <a
          href={customersHref({ q, country, ...tab.filter })}
          aria-current={isShown(filter, tab.filter) ? 'page' : undefined}
        >
          <span safe>{tab.label}</span>
          <Badge
            label={countText(tab.count)}
            tone={tab.filter.attention && tab.count > 0 ? 'warning' : undefined}
            count
          />
        </a>
      ))}
    </nav>
  )
}

const isShown = (filter: CustomersFilter, { kind, attention, state = 'active' }: CustomersFilter): boolean =>
  filter.kind === kind && filter.attention === attention && (filter.state ?? 'active') === state
