import type {
  Reconciliation,
  ReconciliationDifferenceFilter,
  ReconciliationDifferenceList,
  ReconciliationRun,
} from '#payments/types'
import { PageHeader } from '#views/ui/page-header.tsx'
import { Time } from '#views/ui/time.tsx'
import { ExportLink } from '../export-link.tsx'
import { Differences } from './differences.tsx'
import { Balances, countsOf, RunNow, RunsOverview } from './runs.tsx'
import { reconciliationPath, reconciliationRoute } from './words.ts'

interface ReconciliationProps {
  overview: Reconciliation
  /** Null where only the others are shown. */
  open: ReconciliationDifferenceList | null
  openQuery: ReconciliationDifferenceFilter
  settled: ReconciliationDifferenceList
  closedQuery: ReconciliationDifferenceFilter
  /** Chosen in the strip of days. */
  run: ReconciliationRun | null
  organizationId: string | undefined
}

export const ReconciliationPage = ({
  overview,
  open,
  openQuery,
  settled,
  closedQuery,
  run,
  organizationId,
}: ReconciliationProps) => (
  <>
    <PageHeader
      title="Reconciliation"
      crumbs={open === null ? [{ href: reconciliationPath, label: 'Reconciliation' }] : []}
      status={<small class="muted">ledger and provider, compared daily</small>}
    >
      <div class="actions">
        <ExportLink from={`${reconciliationRoute}/differences/export`} query={{}} />
        {overview.can.run ? <RunNow /> : null}
      </div>
    </PageHeader>
    <div class="page stack" style="--gap: 2rem">
      <RunsOverview overview={overview} organizationId={organizationId} />
      {run ? <Run run={run} /> : null}
      {open ? <Differences list={open} query={openQuery} organizationId={organizationId} /> : null}
      <Differences list={settled} query={closedQuery} organizationId={organizationId} />
    </div>
  </>
)

const Run = ({ run }: { run: ReconciliationRun }) => (
  <section class="card" aria-labelledby="run-title">
    <header>
      <h2 id="run-title">
        {'Run of '}
        <Time at={run.startedAt} form="moment" />
      </h2>
    </header>
    <div class="body stack">
      <p safe>
        {run.error
          ? `It failed: ${run.error.message}`
          : run.state === 'running'
            ? 'It is still comparing.'
            : `${countsOf(run)} ${run.differences === 1 ? '1 difference' : `${run.differences} differences`}.`}
      </p>
      {run.state === 'succeeded' ? <Balances run={run} /> : null}
    </div>
  </section>
)
