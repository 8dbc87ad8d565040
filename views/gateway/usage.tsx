import type { ReportDimension, UsageRecord, UsageReport, UsageVerification } from '#gateway/types'
import { Button } from '#views/ui/button.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { Menu, MenuLink } from '#views/ui/overlays.tsx'
import { PageHeader } from '#views/ui/page-header.tsx'
import { LatestCalls } from './latest-calls.tsx'
import { reportAddress, UsageReportCards, type ReportQuery } from './usage-report.tsx'
import { VerificationCard } from './verification.tsx'
import { dimensions, familyNames } from './words.ts'

export interface UsageProps {
  report: UsageReport
  verification: UsageVerification
  records: { items: UsageRecord[]; nextCursor: string | null; query: ReportQuery & { limit: number; cursor?: string } }
  query: ReportQuery & { groupBy: ReportDimension; from: string; to: string }
  /** The query of `verification`. */
  verified: ReportQuery
  presets: { label: string; from: string; to: string }[]
}

const path = '/gateway/usage'

export const Usage = ({ report, verification, records, query, verified, presets }: UsageProps) => (
  <>
    <PageHeader title="Usage">
      <div class="actions">
        <ExportMenu query={query} />
      </div>
    </PageHeader>
    <div class="page stack" style="--measure: none">
      <Filters query={query} presets={presets} records={records} />
      <UsageReportCards report={report} query={query} />
      <VerificationCard verification={verification} query={verified} />
      <LatestCalls records={records.items} nextCursor={records.nextCursor} query={records.query} />
      <p class="small muted prose">
        Costs are in US dollars, days in UTC. Each request keeps the price that applied that day.
      </p>
    </div>
  </>
)

const exportMenu = 'export-usage'

const ExportMenu = ({ query }: Pick<UsageProps, 'query'>) => {
  const csv = (address: string) => `${address}&format=csv&limit=100`
  const { groupBy, ...filters } = query
  return (
    <>
      <Button label="Export" icon="download" popovertarget={exportMenu} />
      <Menu id={exportMenu}>
        {groupBy === 'certainty' ? null : (
          <MenuLink
            label={`Totals by ${dimensions[groupBy].of} (CSV)`}
            icon="list"
            href={csv(reportAddress('/api/usage', query))}
          />
        )}
        <MenuLink label="Latest 100 requests (CSV)" icon="download" href={csv(reportAddress('/api/usage', filters))} />
      </Menu>
    </>
  )
}

const filterNames = {
  applicationId: 'App',
  apiKeyId: 'API key',
  userId: 'Person',
  model: 'Model',
  provider: 'Provider',
} as const

const Filters = ({ query, presets, records }: Pick<UsageProps, 'query' | 'presets' | 'records'>) => (
  <form class="filters" role="search" aria-label="Filter usage" action={path}>
    <nav class="segments" aria-label="Days">
      {presets.map(({ label, from, to }) => (
        <a
          href={reportAddress(path, { ...query, from, to })}
          aria-current={from === query.from && to === query.to ? 'true' : undefined}
          safe
        >
          {label}
        </a>
      ))}
    </nav>
    <label class="input">
      <small class="muted">From</small>
      <input type="date" name="from" value={query.from} max={query.to} />
    </label>
    <label class="input">
      <small class="muted">To</small>
      <input type="date" name="to" value={query.to} min={query.from} />
    </label>
    <select class="chip" data-dashed name="family" aria-label="Family">
      <option value="">All families</option>
      <>
        {Object.entries(familyNames).map(([family, name]) => (
          <option value={family} selected={family === query.family} safe>
            {name}
          </option>
        ))}
      </>
    </select>
    <input type="hidden" name="groupBy" value={query.groupBy} />
    {Object.entries(filterNames).map(([name, label]) => (
      <ActiveFilter name={name} label={label} query={query} record={records.items[0]} />
    ))}
    <Button label="Apply" type="submit" />
  </form>
)

interface ActiveFilterProps {
  name: string
  label: string
  query: ReportQuery
  /** One that matches, with the names of its app, API key and person. */
  record?: UsageRecord
}

/** Leads to the page without it. */
const ActiveFilter = ({ name, label, query, record }: ActiveFilterProps) => {
  const value = Object.entries(query).find(([other]) => other === name)?.[1]
  if (value === undefined) return <></>
  const names: Record<string, string | null | undefined> = {
    applicationId: record?.applicationName,
    apiKeyId: record?.apiKeyName,
    userId: record?.userName,
  }
  return (
    <>
      <input type="hidden" name={name} value={value} />
      <a class="chip" href={reportAddress(path, { ...query, [name]: undefined })}>
        <span safe>{`${label}: ${names[name] ?? value}`}</span>
        <Icon name="x" />
        <span class="visually-hidden">Remove filter</span>
      </a>
    </>
  )
}
