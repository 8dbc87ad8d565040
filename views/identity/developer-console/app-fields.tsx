import type { DeveloperApp, RequestableScope } from '#identity/types'
import { CheckList, Field, TextField } from '#views/ui/form.tsx'

interface OfApp {
  /** None for a new one. */
  app?: DeveloperApp
}

export const AboutFields = ({ app }: OfApp) => (
  <>
    <TextField label="Name" name="name" id="app-name" value={app?.name} maxlength={100} autocomplete="off" required />
    <Lines label="Description" name="description" value={app?.description} rows={3} required />
    <TextField
      label="Address"
      name="webUrl"
      id="app-address"
      type="url"
      hint="The URL that people open"
      value={app?.webUrl}
      placeholder="https://"
      maxlength={2000}
      required
    />
  </>
)

export const SignInFields = ({ app }: OfApp) => (
  <>
    <Lines
      label="Redirect URIs"
      name="redirectUris"
      hint="One per line"
      value={app?.redirectUris.join('\n')}
      rows={3}
    />
    <TextField
      label="Hand-off URI"
      name="handoffUri"
      id="app-handoffUri"
      type="url"
      hint="One of the redirect URIs. The app switcher opens it with a one-time code. Leave it empty if your app signs people in with OpenID Connect."
      value={app?.handoffUri ?? ''}
      maxlength={2000}
    />
  </>
)

export const PermissionFields = ({ app }: OfApp) => (
  <Lines
    label="App permissions"
    name="permissions"
    hint="One per line, with a description: orders:read View orders"
    value={app?.permissions.map(({ permission, description }) => `${permission} ${description}`).join('\n')}
    rows={6}
  />
)

interface AppFieldsProps extends OfApp {
  requestable: RequestableScope[]
}

export const ScopeChoices = ({ app, requestable }: AppFieldsProps) => (
  <CheckList
    legend="Scopes of other services"
    name="scopes"
    id="app-scopes"
    choices={requestable.map((scope) => ({ ...scope, checked: app?.scopes.includes(scope.value) }))}
    sendsNone
  />
)

interface LinesProps {
  label: string
  name: string
  hint?: string
  value?: string
  rows: number
  required?: boolean
}

const Lines = ({ label, name, hint, value = '', rows, required }: LinesProps) => (
  <Field label={label} id={`app-${name}`} hint={hint}>
    <textarea
      class="input"
      id={`app-${name}`}
      name={name}
      rows={String(rows)}
      required={required}
      aria-describedby={hint ? `app-${name}-hint app-${name}-error` : `app-${name}-error`}
      safe
    >
      {value}
    </textarea>
  </Field>
)
