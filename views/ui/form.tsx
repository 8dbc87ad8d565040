import type { Children } from '@kitajs/html'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'

type FormProps = { children: Children } & Omit<JSX.HtmlFormTag, 'children'>

/**
 * Sent by htmx, once at a time; `early-input.js` holds it until then. Without scripts the browser sends it as a body to
 * the same operation, so that input is never in a URL. `form-problem` shows a refusal at its top.
 */
export const Form = ({ children, ...attributes }: FormProps) => (
  <form
    method={attributes['hx-get'] ? 'get' : 'post'}
    action={actionOf(attributes)}
    hx-sync="this:drop"
    hx-swap="none"
    {...refused}
    {...attributes}
  >
    <div class="form-problem" />
    {children}
  </form>
)

/** Of the same operation without scripts: browsers send forms by GET and POST only. */
const actionOf = (attributes: Omit<FormProps, 'children'>): string | undefined => {
  for (const method of ['put', 'patch', 'delete'] as const) {
    const path = attributes[`hx-${method}`]
    if (path) return `${path}${path.includes('?') ? '&' : '?'}_method=${method.toUpperCase()}`
  }
  return attributes['hx-post']
}

const refused = {
  'hx-status:4xx': "target:'find .form-problem' swap:innerHTML",
  'hx-status:5xx': "target:'find .form-problem' swap:innerHTML",
}

interface FieldProps {
  label: string
  /** The hint and the error have the ids `<id>-hint` and `<id>-error`. */
  id: string
  hint?: string
  /** At the end of the label's line, such as a link. */
  aside?: JSX.Element
  children: JSX.Element
}

/** `form-problem` fills the place of the error. */
export const Field = ({ label, id, hint, aside, children }: FieldProps) => (
  <div class="field">
    <label for={id} safe>
      {label}
    </label>
    {children}
    {hint ? (
      <small id={`${id}-hint`} safe>
        {hint}
      </small>
    ) : null}
    <p class="error" id={`${id}-error`}>
      <Icon name="circle-alert" />
      <span />
    </p>
    {aside ? <>{aside}</> : null}
  </div>
)

interface Named {
  label: string
  name: string
  /** When another field of the page has the same name. */
  id?: string
  hint?: string
}

const tied = ({ name, id = name, hint }: Omit<Named, 'label'>) => ({
  id,
  name,
  'aria-describedby': hint ? `${id}-hint ${id}-error` : `${id}-error`,
})

type TextFieldProps = Named & Omit<JSX.HtmlInputTag, 'children' | 'id' | 'name'>

type ReadOnlyFieldProps = Pick<FieldProps, 'label' | 'id' | 'hint'> &
  Omit<JSX.HtmlInputTag, 'children' | 'id' | 'name' | 'readonly'>

export const ReadOnlyField = ({ label, id, hint, ...attributes }: ReadOnlyFieldProps) => (
  <Field label={label} id={id} hint={hint}>
    <input class="input" id={id} aria-describedby={hint && `${id}-hint`} readonly {...attributes} />
  </Field>
)

export const TextField = ({ label, name, id, hint, ...attributes }: TextFieldProps) => (
  <Field label={label} id={id ?? name} hint={hint}>
    <input class="input" {...tied({ name, id, hint })} {...attributes} />
  </Field>
)

export interface Option {
  value: string
  label: string
}

type SelectFieldProps = Named & { options: Option[]; value?: string } & Omit<
    JSX.HtmlSelectTag,
    'children' | 'id' | 'name'
  >

export const SelectField = ({ label, name, id, hint, options, value, ...attributes }: SelectFieldProps) => (
  <Field label={label} id={id ?? name} hint={hint}>
    <select class="input" {...tied({ name, id, hint })} {...attributes}>
      <Options options={options} value={value} />
    </select>
  </Field>
)

const Options = ({ options, value }: { options: Option[]; value?: string }) => (
  <>
    {options.map((option) => (
      <option value={option.value} selected={option.value === value} safe>
        {option.label}
      </option>
    ))}
  </>
)

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
  /** Sends an empty list when nothing is checked, since a missing field means no change. */
  sendsNone?: true
}

export const CheckList = ({ legend, name, id, choices, sendsNone }: CheckListProps) => (
  <fieldset class="field">
    <legend safe>{legend}</legend>
    <div class="scopes">
      {choices.map(({ value, description, checked }, at) => (
        <label class="check">
          <input type="checkbox" name={`${name}[]`} value={value} id={at === 0 ? id : undefined} checked={checked} />
          <span>
            <span safe>{description}</span>
            <code safe>{value}</code>
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

interface ZoneFieldProps {
  label: string
  name: string
  id?: string
  hint?: string
  /** By default the browser's own. */
  value?: string
}

export const ZoneField = ({ label, name, id = name, hint, value }: ZoneFieldProps) => (
  <Field label={label} id={id} hint={hint}>
    <ZoneChoice value={value} {...tied({ name, id, hint })} />
  </Field>
)

/** Offered where a choice of the zone can follow the browser. */
export const automaticZone = 'system'

type ZoneChoiceProps = { value?: string; canBeAutomatic?: boolean } & Omit<JSX.HtmlSelectTag, 'children'>

/** Its script makes it a field that finds zones; the browser knows their list, so it isn't sent with every page. */
export const ZoneChoice = ({ value, canBeAutomatic, ...attributes }: ZoneChoiceProps) => (
  <zone-choice data-chosen={value !== undefined} data-automatic={canBeAutomatic} hx-morph-skip="">
    <select class="input" {...attributes}>
      <option value={value ?? 'UTC'} selected safe>
        {value === automaticZone ? 'Automatic' : (value ?? 'UTC')}
      </option>
    </select>
  </zone-choice>
)

/** Next to the Save button of a form whose input isn't lost without a question. */
export const UnsavedChanges = () => (
  <unsaved-changes class="grow">
    <small>Unsaved changes</small>
  </unsaved-changes>
)

/** The end of a card that is a form. Without scripts it always offers both. */
export const SaveFooter = () => (
  <footer>
    <UnsavedChanges />
    <Button label="Discard" variant="ghost" type="reset" />
    <Button label="Save" variant="primary" type="submit" />
  </footer>
)
