import { PageHeader } from '#views/ui/page-header.tsx'
import { TimesIn } from '#views/ui/time.tsx'
import { FilterForm } from '../filters.tsx'
import { settlementsHref, settlementsPath, SettlementTable, type SettlementListProps } from './list.tsx'

export const SettlementsPage = ({ list, query, organizationId }: SettlementListProps) => (
  <>
    <PageHeader title="Settlements" status={<TimesIn />} />
    <div class="page stack" style="--measure: none">
      {list.counts.length > 0 || query.q ? (
        <FilterForm
          label="Filter settlements"
          path={settlementsPath}
          search={{ placeholder: 'Batch, item, or recipient', value: query.q }}
          kept={{ status: query.status }}
          clear={query.q ? settlementsHref({ status: query.status }) : undefined}
        />
      ) : null}
      <SettlementTable list={list} query={query} organizationId={organizationId} />
    </div>
  </>
)
