import { Icon } from './icon.tsx'

/** A value that can be checked, and what it means. */
interface Choice {
  value: string
  description: string
  checked?: boolean
}

interface CheckListProps {
  legend: string
  /** Of the list, such as `scopes`. */
  name: string
  /** Of the first checkbox; the error is at `<id>-error`. */
  id: string
  choices: Choice[]
  /** Sends an empty list when nothing is checked: a change leaves out no field. */
  sendsNone?: true
}

/** Checkboxes of one list, and the place of its error. */
export const CheckList = ({ legend, name, id, choices, sendsNone }: CheckListProps) => (
  <fieldset class="field">
    <legend safe>{legend}</legend>
    <div class="scopes">
      {choices.map(({ value, description, checked }, at) => (
        <label class="check">
          <input type="checkbox" name={`${name}[]`} value={value} id={at === 0 ? id : undefined} checked={checked} />
          <span>
            <code safe>{value}</code>
            <small class="muted" safe>
              {description}
            </small>
          </span>
        </label>
      ))}
    </div>
    {/* An error is shown at the first control of its name: this one comes last. */}
    {sendsNone ? <input type="hidden" name={`${name}[]`} value="" /> : null}
    <p class="error" id={`${id}-error`}>
      <Icon name="circle-alert" />
      <span />
    </p>
  </fieldset>
)
