import type { RefusedForm } from '#lib/request/context.ts'
import { Notice } from '#views/ui/feedback.tsx'
import { Icon } from '#views/ui/icon.tsx'

export interface Refusable {
  refused?: RefusedForm
}

/** What was entered, after a refusal. */
export function enteredIn(refused: RefusedForm | undefined, name: string): string {
  const value = refused?.given[name]
  return typeof value === 'string' ? value : ''
}

const errorOf = (refused: RefusedForm | undefined, name: string): string | undefined =>
  refused?.problem.errors?.find(({ path }) => path === name)?.message

/** Why nothing was sent; the errors of fields are beside them. */
export const Refusal = ({ refused, title = 'Not sent' }: Refusable & { title?: string }) =>
  refused ? (
    <Notice
      tone={refused.problem.errors ? 'danger' : 'warning'}
      role="alert"
      title={refused.problem.errors ? `${title}: check what you entered` : title}
      text={refused.problem.errors ? undefined : refused.problem.detail}
    >
      {refused.problem.errors ? (
        <ul>
          {refused.problem.errors.map(({ path, message }) => (
            <li>
              <a class="link" href={`#${path}`} safe>
                {message}
              </a>
            </li>
          ))}
        </ul>
      ) : null}
    </Notice>
  ) : (
    <></>
  )

interface FieldProps extends Refusable {
  label: string
  name: string
  /** Beside the label. */
  note?: string
  hint?: string
}

const attributesOf = ({ name, hint, refused }: FieldProps) => {
  const error = errorOf(refused, name)
  const described = [error && `${name}-error`, hint && `${name}-hint`].filter(Boolean).join(' ')
  return {
    id: name,
    name,
    'aria-invalid': error ? ('true' as const) : undefined,
    'aria-describedby': described || undefined,
    autofocus: refused?.problem.errors?.[0]?.path === name,
  }
}

const Labeled = ({ children, ...props }: FieldProps & { children: JSX.Element }) => (
  <div class="field">
    <label for={props.name}>
      <span safe>{props.label}</span>
      {props.note ? <small safe> {props.note}</small> : null}
    </label>
    {children}
    <FieldError name={props.name} refused={props.refused} />
    {props.hint ? (
      <small id={`${props.name}-hint`} safe>
        {props.hint}
      </small>
    ) : null}
  </div>
)

export const FieldError = ({ name, refused }: Refusable & { name: string }) => {
  const error = errorOf(refused, name)
  if (!error) return <></>
  return (
    <p class="error" id={`${name}-error`}>
      <Icon name="circle-alert" />
      <span safe>{error}</span>
    </p>
  )
}

interface InputProps
  extends
    FieldProps,
    Pick<JSX.HtmlInputTag, 'type' | 'inputmode' | 'autocomplete' | 'required' | 'maxlength' | 'min' | 'max'> {
  /** Before anything was entered. */
  value?: string
}

export const SiteInput = ({ label, name, note, hint, refused, value = '', ...attributes }: InputProps) => (
  <Labeled label={label} name={name} note={note} hint={hint} refused={refused}>
    <input
      class="input"
      {...attributesOf({ label, name, hint, refused })}
      value={refused ? enteredIn(refused, name) : value}
      {...attributes}
    />
  </Labeled>
)

type TextProps = FieldProps & Pick<JSX.HtmlTextAreaTag, 'rows' | 'required' | 'maxlength' | 'placeholder'>

export const SiteText = ({ label, name, note, hint, refused, ...attributes }: TextProps) => (
  <Labeled label={label} name={name} note={note} hint={hint} refused={refused}>
    <textarea class="input" {...attributesOf({ label, name, hint, refused })} {...attributes} safe>
      {enteredIn(refused, name)}
    </textarea>
  </Labeled>
)

interface SegmentsProps extends Refusable {
  legend: string
  name: string
  options: { value: string; label: string }[]
}

export const SiteSegments = ({ legend, name, options, refused }: SegmentsProps) => {
  const entered = enteredIn(refused, name)
  const chosen = options.some(({ value }) => value === entered) ? entered : options[0]?.value
  return (
    <fieldset class="field">
      <legend safe>{legend}</legend>
      <div class="segments" role="group" aria-label={legend}>
        {options.map(({ value, label }) => (
          <label>
            <input class="visually-hidden" type="radio" name={name} value={value} checked={value === chosen} />
            <span safe>{label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** Out of sight and of the tab order: only programs fill it in. */
export const Trap = () => (
  <p class="trap" aria-hidden="true">
    <label>
      Leave empty
      <input name="website" tabindex="-1" autocomplete="off" />
    </label>
  </p>
)
