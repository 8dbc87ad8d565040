import { Field } from '#views/ui/form.tsx'

/** The region that every change of a credential replaces. */
export const changesCredentials = { 'hx-target': '#credentials', 'hx-swap': 'outerMorph' } as const

interface KeyFieldProps {
  id: string
  label: string
  autofocus?: boolean
}

export const KeyField = ({ id, label, autofocus }: KeyFieldProps) => (
  <Field label={label} id={id} hint="Encrypted when you save it. No one can view it again, including you.">
    <input
      class="input"
      id={id}
      name="secret.apiKey"
      type="password"
      autocomplete="off"
      required
      minlength="8"
      autofocus={autofocus}
      aria-describedby={`${id}-hint ${id}-error`}
    />
  </Field>
)
