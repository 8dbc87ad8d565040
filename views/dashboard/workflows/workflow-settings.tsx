import type { Workflow } from '#dashboard/types'
import { Button } from '#views/ui/button.tsx'
import { Form, ZoneField } from '#views/ui/form.tsx'
import { liveAt } from '#views/ui/live.ts'
import { Dialog, DialogButtons, MenuItem, RowMenu } from '#views/ui/overlays.tsx'
import { PageHeader } from '#views/ui/page-header.tsx'
import { Time } from '#views/ui/time.tsx'
import { HiddenSteps, StepFields, type Step } from './step-fields.tsx'
import { CronField, NameField } from './workflow-list.tsx'
import { triggerText, WorkflowState, workflowTopic } from './workflow-state.tsx'

interface WorkflowSettingsProps {
  workflow: Workflow
}

const [editDialog, rotateDialog, deleteDialog] = ['edit-workflow', 'rotate-workflow', 'delete-workflow']
const stepDialog = (type: Step['type']): string => `add-${type}`

const labels: Record<Step['type'], string> = {
  action: 'Raise an action',
  notify: 'Notify people',
  webhook: 'Call a webhook',
}
const added = [
  ['action', labels.action],
  ['notify', labels.notify],
  ['webhook', labels.webhook],
] as const

/** The header of the page and its steps, with the dialogs that change the workflow. */
export const WorkflowSettings = ({ workflow }: WorkflowSettingsProps) => (
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
      <Card workflow={workflow} />
    </div>
    {workflow.can.change ? <Dialogs workflow={workflow} /> : null}
  </div>
)

const closing = { popovertarget: 'workflow-menu', popovertargetaction: 'hide' } as const

const Actions = ({ workflow }: { workflow: Workflow }) => {
  const at = `/api/workflows/${workflow.id}`
  const isEnabled = workflow.state === 'enabled'
  return (
    <div class="actions">
      {isEnabled ? (
        <Button id="test-run" label="Run a test" icon="send" hx-post={`${at}/run`} hx-swap="none" data-refresh />
      ) : (
        <Button label="Enable" icon="circle-check" variant="primary" {...sets(at, 'enabled')} />
      )}
      <RowMenu id="workflow-menu" label={`More about ${workflow.name}`}>
        <MenuItem label="Edit" icon="pen-line" commandfor={editDialog} command="show-modal" />
        {isEnabled ? <MenuItem label="Pause" icon="pause" {...sets(at, 'paused')} {...closing} /> : null}
        <MenuItem label="Rotate secret" icon="rotate-cw" commandfor={rotateDialog} command="show-modal" />
        <hr />
        <MenuItem label="Delete" icon="trash-2" danger commandfor={deleteDialog} command="show-modal" />
      </RowMenu>
    </div>
  )
}

const replaces = { 'hx-target': '#workflow-settings', 'hx-swap': 'outerMorph' } as const

const sets = (at: string, state: 'enabled' | 'paused') =>
  ({ 'hx-put': at, 'hx-vals': JSON.stringify({ state }), ...replaces, id: 'switch-state' }) as const

const Card = ({ workflow }: WorkflowSettingsProps) => {
  const { steps, nextRunAt, can } = workflow
  return (
    <div class="card">
      <header>
        <code class="wrap-anywhere" safe>
          {triggerText(workflow)}
        </code>
        {nextRunAt ? (
          <span class="muted small">
            Next run <Time at={nextRunAt} />
          </span>
        ) : null}
      </header>
      <ul class="list" data-settings aria-label="Steps, in order">
        {steps.map((step, at) => (
          <li>
            <span class="grow">
              <span class="wrap-anywhere" safe>
                {`${at + 1}. ${step.type === 'webhook' ? step.url : step.title}`}
              </span>
              <small safe>{labels[step.type]}</small>
            </span>
            {can.change && steps.length > 1 ? <RemoveStep workflow={workflow} at={at} /> : null}
          </li>
        ))}
      </ul>
      {can.change && steps.length < 10 ? (
        <footer class="row" data-wrap>
          {added.map(([type, label]) => (
            <Button label={label} icon="plus" size="sm" commandfor={stepDialog(type)} command="show-modal" />
          ))}
        </footer>
      ) : null}
    </div>
  )
}

const Version = ({ workflow: { version } }: { workflow: Workflow }) => (
  <input type="hidden" name="version" value={String(version)} />
)

const RemoveStep = ({ workflow, at }: { workflow: Workflow; at: number }) => (
  <Form hx-put={`/api/workflows/${workflow.id}`} {...replaces}>
    <Version workflow={workflow} />
    <HiddenSteps steps={workflow.steps.filter((_, place) => place !== at)} />
    <Button label={`Remove step ${at + 1}`} icon="trash-2" iconOnly variant="ghost" type="submit" />
  </Form>
)

const Dialogs = ({ workflow }: { workflow: Workflow }) => {
  const { id, name, steps, trigger } = workflow
  const path = `/api/workflows/${id}`
  return (
    <>
      {steps.length < 10
        ? added.map(([type, label]) => (
            <Dialog id={stepDialog(type)} title={label}>
              <Form hx-put={path} {...replaces}>
                <div class="body">
                  <Version workflow={workflow} />
                  <HiddenSteps steps={steps} />
                  <StepFields type={type} at={steps.length} form={stepDialog(type)} />
                </div>
                <DialogButtons dialog={stepDialog(type)} submit="Add step" />
              </Form>
            </Dialog>
          ))
        : null}
      <Dialog id={editDialog} title={`Edit ${name}`}>
        <Form hx-put={path} {...replaces}>
          <div class="body">
            <Version workflow={workflow} />
            <NameField form={editDialog} name={name} />
            {trigger.type === 'schedule' ? (
              <>
                <input type="hidden" name="trigger.type" value="schedule" />
                <CronField form={editDialog} cron={trigger.cron} />
                <ZoneField
                  label="Time zone"
                  name="trigger.timeZone"
                  id={`${editDialog}-zone`}
                  value={trigger.timeZone}
                />
              </>
            ) : null}
          </div>
          <DialogButtons dialog={editDialog} submit="Save" />
        </Form>
      </Dialog>
      <Dialog id={rotateDialog} title="Rotate the signing secret?">
        <Form hx-post={`${path}/rotate-secret`} hx-target="this" hx-swap="outerHTML">
          <div class="body">
            <p>Requests are signed with the new secret at once. The old one stops working.</p>
          </div>
          <DialogButtons dialog={rotateDialog} submit="Rotate" focusCancel />
        </Form>
      </Dialog>
      <Dialog id={deleteDialog} title={`Delete ${name}?`}>
        <Form hx-delete={path}>
          <div class="body">
            <p>It stops immediately and its runs are deleted. This can’t be undone.</p>
          </div>
          <DialogButtons dialog={deleteDialog} submit="Delete" danger focusCancel />
        </Form>
      </Dialog>
    </>
  )
}
