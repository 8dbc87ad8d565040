import { Field } from '#views/ui/form.tsx'
import { Icon } from '#views/ui/icon.tsx'

interface PasswordFieldProps {
  autocomplete: 'current-password' | 'new-password'
  label?: string
  hint?: string
  minlength?: number
  /** Links to the reset of a forgotten password. */
  canReset?: boolean
}

export const PasswordField = ({ autocomplete, label = 'Password', hint, minlength, canReset }: PasswordFieldProps) => (
  <Field label={label} id="password" hint={hint} aside={canReset ? <Forgotten /> : undefined}>
    <reveal-password class="input">
      <input
        id="password"
        name="password"
        type="password"
        autocomplete={autocomplete}
        minlength={minlength}
        maxlength={256}
        aria-describedby={hint ? 'password-hint password-error' : 'password-error'}
        required
      />
      <button
        type="button"
        class="button"
        data-variant="ghost"
        data-icon
        data-size="sm"
        aria-label="Show password"
        aria-pressed="false"
      >
        <Icon name="eye" />
        <Icon name="eye-off" />
      </button>
    </reveal-password>
  </Field>
)

const Forgotten = () => (
  <a class="link" href="/forgot-password">
    Forgot password?
  </a>
)
