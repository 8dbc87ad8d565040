import type { Workflow, WorkflowPerson } from '#dashboard/types'
import { SelectField, TextField } from '#views/ui/form.tsx'
import { roles, type Step } from './step-labels.ts'

interface StepFieldsProps {
  type: Step['type']
  /** Its place among the steps. */
  at: number
  /** Begins the ids of its fields. */
  form: string
  step?: Step
  /** What starts it: texts can use its fields. */
  trigger: Workflow['trigger']['type']
  /** Members that it can notify. */
  people?: readonly WorkflowPerson[]
}

export const StepFields = ({ type, at, form, step, trigger, people = [] }: StepFieldsProps) => (
  <>
    <input type="hidden" name={`steps.${at}.type`} value={type} />
    {type === 'webhook' ? (
      <TextField
        label="URL"
        name={`steps.${at}.url`}
        id={`${form}-url`}
        type="url"
        hint="Receives a signed POST request. For a signing secret, choose Rotate secret in the menu of the workflow."
        value={step?.type === 'webhook' ? step.url : ''}
        maxlength={2000}
        autocomplete="off"
        required
        autofocus
      />
    ) : (
      <Words type={type} at={at} form={form} step={step} trigger={trigger} />
    )}
    {type === 'notify' ? <Audience at={at} form={form} step={step} people={people} /> : null}
  </>
)

const fieldHints: Record<StepFieldsProps['trigger'], string> = {
  event: 'Can contain fields of the event, such as {{data.provider}}.',
  schedule: 'Can contain the planned time as {{data.plannedAt}}.',
}

const Words = ({ type, at, form, step, trigger }: StepFieldsProps) => {
  const words = step && step.type !== 'webhook' ? step : undefined
  return (
    <>
      <TextField
        label="Title"
        name={`steps.${at}.title`}
        id={`${form}-title-field`}
        hint={fieldHints[trigger]}
        value={words?.title}
        maxlength={200}
        autocomplete="off"
        required
        autofocus
      />
      <TextField
        label="Reason"
        name={`steps.${at}.reason`}
        id={`${form}-reason`}
        value={words?.reason}
        maxlength={2000}
        autocomplete="off"
        required
      />
      <TextField
        label="Link"
        name={`steps.${at}.href`}
        id={`${form}-href`}
        value={words?.href ?? '/actions'}
        maxlength={1000}
        autocomplete="off"
        required
      />
      {type === 'action' ? (
        <TextField
          label="Due after (hours)"
          name={`steps.${at}.dueInHours`}
          id={`${form}-due`}
          type="number"
          min="1"
          max="8760"
          value={words?.type === 'action' && words.dueInHours !== undefined ? String(words.dueInHours) : ''}
          hint="Leave empty for no due time."
          autocomplete="off"
        />
      ) : null}
    </>
  )
}

const singleMembers = { value: '', label: 'Only the members below' }

/** Screen CSS hides the members while a role is chosen. */
const Audience = ({ at, form, step, people = [] }: Omit<StepFieldsProps, 'type' | 'trigger'>) => {
  const [role, chosen] = step?.type === 'notify' ? [step.role ?? '', step.people] : ['viewer', []]
  const known = new Set(people.map(({ id }) => id))
  // The list has at most 100 members.
  const others = chosen.filter((id) => !known.has(id)).map((id) => ({ id, name: 'Member who isn’t listed, or left' }))
  return (
    <div class="audience stack">
      <SelectField
        label="Who"
        name={`steps.${at}.role`}
        id={`${form}-role`}
        options={[...roles, ...(people.length + others.length > 0 ? [singleMembers] : [])]}
        value={role}
      />
      {people.length + others.length > 0 ? (
        <fieldset class="field">
          <legend>Members, at most 20</legend>
          <div class="scopes">
            {[...people, ...others].map(({ id, name }) => (
              <label class="check">
                <input type="checkbox" name={`steps.${at}.people[]`} value={id} checked={chosen.includes(id)} />
                <span class="wrap-anywhere" safe>
                  {name}
                </span>
              </label>
            ))}
          </div>
        </fieldset>
      ) : null}
      <label class="check">
        <input
          type="checkbox"
          name={`steps.${at}.chat`}
          value="true"
          checked={step?.type === 'notify' && step.chat === true}
        />
        <span>
          Also post to the organization’s chat
          <small>With a role, and if a chat is connected under Settings, Notifications.</small>
        </span>
      </label>
    </div>
  )
}

/** The other steps of a form that changes one: a request replaces all of them. */
export const HiddenSteps = ({ steps, from = 0 }: { steps: readonly Step[]; from?: number }) => (
  <>
    {steps
      .flatMap((step, at) => entriesOf(step, from + at))
      .map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
  </>
)

const entriesOf = (step: Step, at: number): [string, string][] =>
  Object.entries(step).flatMap(([name, value]): [string, string][] => {
    if (Array.isArray(value)) return value.map((each) => [`steps.${at}.${name}[]`, each])
    return value === undefined ? [] : [[`steps.${at}.${name}`, String(value)]]
  })
