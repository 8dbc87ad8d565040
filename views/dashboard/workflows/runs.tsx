import type { WorkflowRun, WorkflowRunDetail, WorkflowRunList } from '#dashboard/types'
import { Empty } from '#views/ui/feedback.tsx'
import { addressOf, liveAt, replacing } from '#views/ui/live.ts'
import { Pager } from '#views/ui/lists.tsx'
import { Time } from '#views/ui/time.tsx'
import { OpenedRun } from './opened-run.tsx'
import { RunState, workflowTopic } from './workflow-state.tsx'

export interface RunsQuery {
  state?: WorkflowRun['state']
  limit: number
  cursor?: string
}

interface RunsProps {
  workflowId: string
  list: WorkflowRunList
  query: RunsQuery
  /** The run that is shown next to the list. */
  opened: WorkflowRunDetail | null
}

const pathOf = (workflowId: string): string => `/settings/workflows/${workflowId}`
const operationOf = (workflowId: string): string => `/api/workflows/${workflowId}/runs`

export const Runs = (props: RunsProps) => (
  <section
    class="section"
    id="run-list"
    aria-labelledby="runs"
    {...liveAt(addressOf(operationOf(props.workflowId), { ...props.query }), workflowTopic(props.workflowId))}
  >
    <header>
      <h2 id="runs">Runs</h2>
    </header>
    {props.opened ? (
      <div class="reader" data-open>
        <List {...props} />
        <OpenedRun run={props.opened} />
      </div>
    ) : props.list.items.length > 0 ? (
      <div class="card">
        <List {...props} />
      </div>
    ) : (
      <Empty icon="history" title="No runs yet" text="Runs from the last 90 days appear here." heading="h2" small />
    )}
    {props.list.nextCursor ? <Older {...props} /> : null}
  </section>
)

const Older = ({ workflowId, list, query: { state, limit } }: RunsProps) => {
  const cursor = list.nextCursor ?? undefined
  return (
    <Pager
      label="Older runs"
      summary={`${list.items.length} shown`}
      action="Older"
      next={addressOf(pathOf(workflowId), { state, cursor })}
      {...replacing('#run-list', addressOf(operationOf(workflowId), { state, cursor, limit }))}
    />
  )
}

const List = ({ workflowId, list, query: { state, cursor }, opened }: RunsProps) => (
  <ul class="list" data-links data-settings aria-label="Runs, newest first">
    {list.items.map((run) => (
      <li id={`run-${run.id}`}>
        <span class="grow">
          <a
            class="row-link"
            href={`${addressOf(pathOf(workflowId), { run: run.id, state, cursor })}#run`}
            aria-current={run.id === opened?.id ? 'true' : undefined}
          >
            <Time at={run.createdAt} form="exact" />
          </a>
          <small safe>{`${causes[run.startedBy]}, ${run.done} of ${run.steps} steps done`}</small>
        </span>
        <RunState state={run.state} />
      </li>
    ))}
  </ul>
)

const causes: Record<WorkflowRun['startedBy'], string> = { event: 'Event', schedule: 'Schedule', test: 'Test' }
