import type { Workflow } from '#dashboard/types'
import { SelectField, TextField } from '#views/ui/form.tsx'

export type Step = Workflow['steps'][number]

interface StepFieldsProps {
  type: Step['type']
  /** Its place among the steps. */
  at: number
  /** Begins the ids of its fields. */
  form: string
  step?: Step
}

const roles = [
  { value: 'viewer', label: 'All members' },
  { value: 'editor', label: 'Editors and above' },
  { value: 'admin', label: 'Admins and owners' },
  { value: 'owner', label: 'Owners' },
]

export const StepFields = ({ type, at, form, step }: StepFieldsProps) => (
  <>
    <input type="hidden" name={`steps.${at}.type`} value={type} />
    {type === 'webhook' ? (
      <TextField
        label="URL"
        name={`steps.${at}.url`}
        id={`${form}-url`}
        type="url"
        hint="Receives a signed POST request."
        value={step?.type === 'webhook' ? step.url : ''}
        maxlength={2000}
        autocomplete="off"
        required
      />
    ) : (
      <Words at={at} form={form} step={step} />
    )}
    {type === 'notify' ? <Audience at={at} form={form} step={step} /> : null}
  </>
)

type PlacedStep = Omit<StepFieldsProps, 'type'>

const Words = ({ at, form, step }: PlacedStep) => {
  const words = step && step.type !== 'webhook' ? step : undefined
  return (
    <>
      <TextField
        label="Title"
        name={`steps.${at}.title`}
        id={`${form}-title-field`}
        hint="Can contain fields of the event, such as {{data.provider}}."
        value={words?.title}
        maxlength={200}
        autocomplete="off"
        required
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
      {words?.type === 'action' && words.dueInHours !== undefined ? (
        <input type="hidden" name={`steps.${at}.dueInHours`} value={String(words.dueInHours)} />
      ) : null}
    </>
  )
}

const Audience = ({ at, form, step }: PlacedStep) =>
  step?.type === 'notify' && step.role === undefined ? (
    <>
      {step.people.map((id) => (
        <input type="hidden" name={`steps.${at}.people[]`} value={id} />
      ))}
    </>
  ) : (
    <SelectField
      label="Who"
      name={`steps.${at}.role`}
      id={`${form}-role`}
      options={roles}
      value={step?.type === 'notify' ? (step.role ?? 'viewer') : 'viewer'}
    />
  )

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
