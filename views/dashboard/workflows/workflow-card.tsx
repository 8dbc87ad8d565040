import type { Workflow } from '#dashboard/types'
import { Button } from '#views/ui/button.tsx'
import { Form } from '#views/ui/form.tsx'
import { Time } from '#views/ui/time.tsx'
import { HiddenSteps } from './step-fields.tsx'
import { stepLabels, stepText, stepTypes, type Step } from './step-labels.ts'
import { addDialog, dialogs, editDialog, replaces, Version } from './workflow-dialogs.tsx'
import { conditionText } from './trigger-fields.tsx'
import { triggerText } from './workflow-state.tsx'

const maxSteps = 10

interface WorkflowProps {
  workflow: Workflow
}

/** Its trigger and its steps in order. */
export const WorkflowCard = ({ workflow }: WorkflowProps) => {
  const { id, steps, trigger, can } = workflow
  return (
    <div class="card">
      <header class="row" data-wrap>
        <span class="grow wrap-anywhere" safe>
          {triggerText(workflow)}
        </span>
        {can.change ? (
          <Button
            label="Edit trigger"
            icon="pen-line"
            size="sm"
            commandfor={trigger.type === 'event' ? dialogs.event : dialogs.schedule}
            command="show-modal"
          />
        ) : null}
      </header>
      <Facts workflow={workflow} />
      <ul class="list" data-settings aria-label="Steps, in order">
        {steps.map((step, at) => (
          <li>
            <span class="grow">
              <span class="wrap-anywhere" safe>
                {`${at + 1}. ${step.type === 'webhook' ? step.url : step.title}`}
              </span>
              <small safe>{stepText(step)}</small>
            </span>
            {can.change ? <StepButtons workflow={workflow} at={at} /> : null}
          </li>
        ))}
      </ul>
      <div class="preview-row">
        <Button
          label={trigger.type === 'event' ? 'Preview with an example event' : 'Preview the texts'}
          icon="eye"
          size="sm"
          variant="ghost"
          hx-get={`/api/workflows/${id}/preview`}
          hx-target="#workflow-preview"
          hx-swap="innerHTML"
        />
      </div>
      <div id="workflow-preview" aria-live="polite" />
      {can.change && steps.length < maxSteps ? (
        <footer class="row" data-wrap>
          {stepTypes.map((type) => (
            <Button label={stepLabels[type]} icon="plus" size="sm" commandfor={addDialog(type)} command="show-modal" />
          ))}
        </footer>
      ) : null}
    </div>
  )
}

const Facts = ({ workflow: { trigger, nextRuns, createdBy } }: WorkflowProps) => (
  <div class="workflow-facts muted small">
    {trigger.type === 'event'
      ? trigger.filter.map((condition) => (
          <p class="wrap-anywhere" safe>
            {conditionText(condition)}
          </p>
        ))
      : null}
    {nextRuns.length > 0 ? (
      <p>
        Next runs:{' '}
        {nextRuns.map((at, place) => (
          <>
            {place > 0 ? ', ' : ''}
            <Time at={at} />
          </>
        ))}
      </p>
    ) : null}
    {createdBy ? (
      <p
        class="wrap-anywhere"
        safe
      >{`Created by ${createdBy.name ?? 'a deleted account'}${createdBy.isMember ? '' : ' (former member)'}`}</p>
    ) : null}
  </div>
)

const StepButtons = ({ workflow, at }: WorkflowProps & { at: number }) => {
  const { steps } = workflow
  const [before, step] = [steps[at - 1], steps[at]]
  return (
    <>
      <Button
        label={`Edit step ${at + 1}`}
        icon="pen-line"
        iconOnly
        variant="ghost"
        commandfor={editDialog(at)}
        command="show-modal"
      />
      {before && step ? (
        <ChangeSteps
          workflow={workflow}
          steps={[...steps.slice(0, at - 1), step, before, ...steps.slice(at + 1)]}
          label={`Move step ${at + 1} up`}
          icon="arrow-up"
        />
      ) : null}
      {steps.length > 1 ? (
        <ChangeSteps
          workflow={workflow}
          steps={steps.filter((_, place) => place !== at)}
          label={`Remove step ${at + 1}`}
          icon="trash-2"
        />
      ) : null}
    </>
  )
}

interface ChangeStepsProps extends WorkflowProps {
  steps: readonly Step[]
  label: string
  icon: 'arrow-up' | 'trash-2'
}

const ChangeSteps = ({ workflow, steps, label, icon }: ChangeStepsProps) => (
  <Form hx-put={`/api/workflows/${workflow.id}`} {...replaces}>
    <Version workflow={workflow} />
    <HiddenSteps steps={steps} />
    <Button label={label} icon={icon} iconOnly variant="ghost" type="submit" />
  </Form>
)
