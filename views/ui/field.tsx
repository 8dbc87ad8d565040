import { Icon } from './icon.tsx'

interface FieldProps {
  label: string
  /** The control's id; the hint and the error stand under `<id>-hint` and `<id>-error`. */
  id: string
  hint?: string
  children: JSX.Element
}

/** A label, its control and the place of its error, which `form-problem` fills. */
export const Field = ({ label, id, hint, children }: FieldProps) => (
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
  </div>
)

interface Named {
  label: string
  name: string
  /** Where another field of the page has the same name. */
  id?: string
  hint?: string
}

/** What ties a control to the words around it. */
const tied = ({ name, id = name, hint }: Omit<Named, 'label'>) => ({
  id,
  name,
  'aria-describedby': hint ? `${id}-hint ${id}-error` : `${id}-error`,
})

type TextFieldProps = Named & Omit<JSX.HtmlInputTag, 'children' | 'id' | 'name'>

type ReadOnlyFieldProps = Pick<FieldProps, 'label' | 'id' | 'hint'> &
  Omit<JSX.HtmlInputTag, 'children' | 'id' | 'name' | 'readonly'>

/** A labelled text that is shown and not sent, such as the address that a password belongs to. */
export const ReadOnlyField = ({ label, id, hint, ...attributes }: ReadOnlyFieldProps) => (
  <Field label={label} id={id} hint={hint}>
    <input class="input" id={id} aria-describedby={hint && `${id}-hint`} readonly {...attributes} />
  </Field>
)

/** A labelled input of one line. */
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

/** A labelled choice of one. */
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
