import type { Workflow } from '#dashboard/types'
import { Button } from '#views/ui/button.tsx'
import { liveAt } from '#views/ui/live.ts'
import { Form } from '#views/ui/form.tsx'
import { MenuItem, RowMenu } from '#views/ui/overlays.tsx'
import { PageHeader } from '#views/ui/page-header.tsx'
import { WorkflowCard } from './workflow-card.tsx'
import { dialogs, replaces, WorkflowDialogs } from './workflow-dialogs.tsx'
import type { WorkflowSettingsProps } from './workflow-props.ts'
import { WorkflowState, workflowTopic } from './workflow-state.tsx'

/** The header of the page and its steps, with the dialogs that change the workflow. */
export const WorkflowSettings = (props: WorkflowSettingsProps) => {
  const { workflow } = props
  return (
    <div id="workflow-settings" {...liveAt(`/api/workflows/${workflow.id}`, workflowTopic(workflow.id))}>
      <PageHeader
        title={workflow.name}
        id="workflow"
        crumbs={[{ href: '/settings/workflows', label: 'Workflows' }]}
        status={<WorkflowState state={workflow.state} />}
      >
        {workflow.can.change ? <Actions workflow={workflow} /> : <></>}
      </PageHeader>
      <div class="page stack" style="--measure: none">
        <WorkflowCard workflow={workflow} />
      </div>
      {workflow.can.change ? <WorkflowDialogs {...props} /> : null}
    </div>
  )
}

const Actions = ({ workflow }: { workflow: Workflow }) => {
  const at = `/api/workflows/${workflow.id}`
  const isEnabled = workflow.state === 'enabled'
  return (
    <div class="actions" data-wrap>
      <Form hx-post={`${at}/run`} data-refresh>
        <Button id="test-run" label="Run a test" icon="send" type="submit" />
      </Form>
      <Form hx-put={at} {...replaces}>
        <input type="hidden" name="state" value={isEnabled ? 'paused' : 'enabled'} />
        {isEnabled ? (
          <Button id="switch-state" label="Pause" icon="pause" type="submit" />
        ) : (
          <Button id="switch-state" label="Enable" icon="circle-check" variant="primary" type="submit" />
        )}
      </Form>
      <RowMenu id="workflow-menu" label={`More about ${workflow.name}`}>
        <MenuItem label="Rename" icon="pen-line" commandfor={dialogs.rename} command="show-modal" />
        <MenuItem label="Run on an event" icon="activity" commandfor={dialogs.event} command="show-modal" />
        <MenuItem label="Run on a schedule" icon="calendar-clock" commandfor={dialogs.schedule} command="show-modal" />
        {workflow.signsRequests ? (
          <MenuItem label="Rotate secret" icon="rotate-cw" commandfor={dialogs.rotate} command="show-modal" />
        ) : null}
        <hr />
        <MenuItem label="Delete" icon="trash-2" danger commandfor={dialogs.remove} command="show-modal" />
      </RowMenu>
    </div>
  )
}
