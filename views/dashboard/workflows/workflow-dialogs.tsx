import type { Workflow } from '#dashboard/types'
import { Form } from '#views/ui/form.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { ScheduleFields } from './schedule-fields.tsx'
import { HiddenSteps, StepFields } from './step-fields.tsx'
import { stepLabels, stepTypes, type Step } from './step-labels.ts'
import { EventField, FilterFields } from './trigger-fields.tsx'
import { NameField } from './workflow-list.tsx'
import type { WorkflowSettingsProps } from './workflow-props.ts'

export const dialogs = {
  rename: 'rename-workflow',
  event: 'edit-event',
  schedule: 'edit-schedule',
  rotate: 'rotate-workflow',
  remove: 'delete-workflow',
} as const

export const addDialog = (type: Step['type']): string => `add-${type}`
export const editDialog = (at: number): string => `edit-step-${at}`

export const replaces = { 'hx-target': '#workflow-settings', 'hx-swap': 'outerMorph' } as const

/** A form that was opened before another change is refused. */
export const Version = ({ workflow: { version } }: { workflow: Workflow }) => (
  <input type="hidden" name="version" value={String(version)} />
)

const pathOf = ({ id }: Workflow): string => `/api/workflows/${id}`

export const WorkflowDialogs = (props: WorkflowSettingsProps) => (
  <>
    <StepDialogs {...props} />
    <TriggerDialogs {...props} />
    <OtherDialogs {...props} />
  </>
)

const StepDialogs = ({ workflow, people }: WorkflowSettingsProps) => {
  const { steps } = workflow
  const shared = { people, trigger: workflow.trigger.type }
  return (
    <>
      {steps.map((step, at) => (
        <Dialog id={editDialog(at)} title={`Edit step ${at + 1}`}>
          <Form hx-put={pathOf(workflow)} {...replaces}>
            <div class="body">
              <Version workflow={workflow} />
              <HiddenSteps steps={steps.slice(0, at)} />
              <StepFields type={step.type} at={at} form={editDialog(at)} step={step} {...shared} />
              <HiddenSteps steps={steps.slice(at + 1)} from={at + 1} />
            </div>
            <DialogButtons dialog={editDialog(at)} submit="Save" />
          </Form>
        </Dialog>
      ))}
      {steps.length < 10
        ? stepTypes.map((type) => (
            <Dialog id={addDialog(type)} title={stepLabels[type]}>
              <Form hx-put={pathOf(workflow)} {...replaces}>
                <div class="body">
                  <Version workflow={workflow} />
                  <HiddenSteps steps={steps} />
                  <StepFields type={type} at={steps.length} form={addDialog(type)} {...shared} />
                </div>
                <DialogButtons dialog={addDialog(type)} submit="Add step" />
              </Form>
            </Dialog>
          ))
        : null}
    </>
  )
}

const TriggerDialogs = ({ workflow, events }: WorkflowSettingsProps) => {
  const { trigger, schedule } = workflow
  const chosen = trigger.type === 'event' ? trigger : null
  const shown = events.find(({ type, can }) => (chosen ? type === chosen.event : can.use))
  return (
    <>
      <Dialog id={dialogs.event} title="Run on an event">
        <Form hx-put={pathOf(workflow)} {...replaces}>
          <div class="body">
            <Version workflow={workflow} />
            <input type="hidden" name="trigger.type" value="event" />
            <EventField events={events} value={chosen?.event} />
            <FilterFields fields={shown?.fields ?? []} filter={chosen?.filter} />
          </div>
          <DialogButtons dialog={dialogs.event} submit="Save" />
        </Form>
      </Dialog>
      <Dialog id={dialogs.schedule} title="Run on a schedule">
        <Form hx-put={pathOf(workflow)} {...replaces}>
          <div class="body">
            <Version workflow={workflow} />
            <ScheduleFields
              form={dialogs.schedule}
              trigger={trigger.type === 'schedule' ? trigger : undefined}
              plain={schedule}
            />
          </div>
          <DialogButtons dialog={dialogs.schedule} submit="Save" />
        </Form>
      </Dialog>
    </>
  )
}

const OtherDialogs = ({ workflow }: WorkflowSettingsProps) => {
  const { name } = workflow
  const path = pathOf(workflow)
  return (
    <>
      <Dialog id={dialogs.rename} title={`Rename ${name}`}>
        <Form hx-put={path} {...replaces}>
          <div class="body">
            <Version workflow={workflow} />
            <NameField form={dialogs.rename} name={name} />
          </div>
          <DialogButtons dialog={dialogs.rename} submit="Save" />
        </Form>
      </Dialog>
      <Dialog id={dialogs.rotate} title="Rotate the signing secret?">
        <Form hx-post={`${path}/rotate-secret`} hx-target="this" hx-swap="outerHTML">
          <div class="body">
            <p>Requests are signed with the new secret at once. The old one stops working.</p>
          </div>
          <DialogButtons dialog={dialogs.rotate} submit="Rotate" focusCancel />
        </Form>
      </Dialog>
      <Dialog id={dialogs.remove} title={`Delete ${name}?`}>
        <Form hx-delete={path}>
          <div class="body">
            <p>It stops immediately and its runs are deleted. This can’t be undone.</p>
          </div>
          <DialogButtons dialog={dialogs.remove} submit="Delete" danger focusCancel />
        </Form>
      </Dialog>
    </>
  )
}
