import type { WorkflowRunDetail, WorkflowRunList } from '#dashboard/types'
import { ButtonLink } from '#views/ui/button.tsx'
import { Empty } from '#views/ui/feedback.tsx'
import { Runs, type RunsQuery } from './runs.tsx'
import type { WorkflowSettingsProps } from './workflow-props.ts'
import { WorkflowSettings } from './workflow-settings.tsx'

export interface WorkflowProps extends WorkflowSettingsProps {
  runs: WorkflowRunList
  query: RunsQuery
  opened: WorkflowRunDetail | null
  /** The page's own URL. */
  address: string
}

export const WorkflowPage = ({ workflow, events, people, runs, query, opened, address }: WorkflowProps) => (
  <div id="workflow-page" hx-get={address} hx-trigger="gone" hx-target="this" hx-swap="outerMorph">
    <WorkflowSettings workflow={workflow} events={events} people={people} />
    <div class="page" style="--measure: none">
      <Runs workflowId={workflow.id} list={runs} query={query} opened={opened} />
    </div>
  </div>
)

/** Replaces a workflow that was deleted while its page was open. */
export const DeletedWorkflow = () => (
  <>
    <title>Workflow deleted · Atrium</title>
    <div id="workflow-page" class="page">
      <Empty icon="trash-2" title="This workflow was deleted" text="Its runs were deleted with it.">
        <ButtonLink label="View all workflows" href="/settings/workflows" />
      </Empty>
    </div>
  </>
)
