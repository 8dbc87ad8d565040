import type { Workflow, WorkflowEvent, WorkflowList, WorkflowTemplate } from '#dashboard/types'
import { Button } from '#views/ui/button.tsx'
import { Empty } from '#views/ui/feedback.tsx'
import { Form, TextField } from '#views/ui/form.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { Time } from '#views/ui/time.tsx'
import { ScheduleFields } from './schedule-fields.tsx'
import { StepFields } from './step-fields.tsx'
import { Templates } from './templates.tsx'
import { EventField, FilterFields } from './trigger-fields.tsx'
import { RunState, triggerText, WorkflowState } from './workflow-state.tsx'

export interface WorkflowsProps {
  list: WorkflowList
  events: WorkflowEvent[]
  templates: WorkflowTemplate[]
}

const [eventDialog, scheduleDialog] = ['new-event-workflow', 'new-schedule-workflow']

export const WorkflowsPage = ({ list, events, templates }: WorkflowsProps) => (
  <>
    <header class="page-header">
      <h1>Workflows</h1>
      {list.can.create ? <AddButtons /> : null}
    </header>
    <div class="page stack" style="--gap: var(--space-5)">
      <Workflows list={list} />
      {list.can.create ? <Templates templates={templates} /> : null}
    </div>
    {list.can.create ? <NewDialogs events={events} /> : null}
  </>
)

const AddButtons = () => (
  <div class="actions" data-wrap>
    <Button label="New on a schedule" icon="calendar-clock" commandfor={scheduleDialog} command="show-modal" />
    <Button label="New on an event" icon="plus" variant="primary" commandfor={eventDialog} command="show-modal" />
  </div>
)

export const Workflows = ({ list: { items } }: Pick<WorkflowsProps, 'list'>) =>
  items.length === 0 ? (
    <Empty
      icon="list-tree"
      title="No workflows yet"
      text="A workflow runs on an event or a schedule. It raises actions, notifies people and calls webhooks."
      heading="h2"
    />
  ) : (
    <div class="card" id="workflow-list">
      <ul class="list" data-links data-settings aria-label="Workflows">
        {items.map((workflow) => (
          <Row workflow={workflow} />
        ))}
      </ul>
    </div>
  )

const Row = ({ workflow }: { workflow: Workflow }) => (
  <li id={`workflow-${workflow.id}`}>
    <span class="grow">
      <a class="row-link wrap-anywhere" href={`/settings/workflows/${workflow.id}`} safe>
        {workflow.name}
      </a>
      <small class="wrap-anywhere" safe>
        {triggerText(workflow)}
      </small>
      {workflow.lastRun ? (
        <small>
          Last run <Time at={workflow.lastRun.createdAt} form="moment" />
        </small>
      ) : (
        <small>Never ran</small>
      )}
    </span>
    {workflow.lastRun?.state === 'failed' && workflow.state === 'enabled' ? (
      <RunState state="failed" />
    ) : (
      <WorkflowState state={workflow.state} />
    )}
  </li>
)

const creating = { 'hx-post': '/api/workflows', 'hx-target': 'this', 'hx-swap': 'outerHTML' } as const

const NewDialogs = ({ events }: Pick<WorkflowsProps, 'events'>) => (
  <>
    <Dialog id={eventDialog} title="New workflow on an event">
      <Form {...creating}>
        <div class="body">
          <NameField form={eventDialog} />
          <input type="hidden" name="trigger.type" value="event" />
          <EventField events={events} />
          <FilterFields fields={events.find(({ can }) => can.use)?.fields ?? []} />
          <StepFields type="action" at={0} form={eventDialog} trigger="event" />
        </div>
        <DialogButtons dialog={eventDialog} submit="Create workflow" />
      </Form>
    </Dialog>
    <Dialog id={scheduleDialog} title="New workflow on a schedule">
      <Form {...creating}>
        <div class="body">
          <NameField form={scheduleDialog} />
          <ScheduleFields form={scheduleDialog} />
          <StepFields type="action" at={0} form={scheduleDialog} trigger="schedule" />
        </div>
        <DialogButtons dialog={scheduleDialog} submit="Create workflow" />
      </Form>
    </Dialog>
  </>
)

export const NameField = ({ form, name }: { form: string; name?: string }) => (
  <TextField
    label="Name"
    name="name"
    id={`${form}-name`}
    value={name}
    maxlength={100}
    autocomplete="off"
    required
    autofocus
  />
)
