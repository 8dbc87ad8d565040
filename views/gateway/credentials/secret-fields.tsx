import type { Credential } from '#gateway/types'
import { Field } from '#views/ui/form.tsx'

/** The region that every change of a credential replaces. */
export const changesCredentials = { 'hx-target': '#credentials', 'hx-swap': 'outerMorph' } as const

interface SecretFieldProps {
  id: string
  name: string
  label: string
  hint?: string
  autofocus?: boolean
  optional?: boolean
}

/** A value that is never shown again. */
const SecretField = ({ id, name, label, hint = sealed, autofocus, optional }: SecretFieldProps) => (
  <Field label={label} id={id} hint={hint}>
    <input
      class="input"
      id={id}
      name={`secret.${name}`}
      type="password"
      autocomplete="off"
      required={!optional}
      minlength="8"
      autofocus={autofocus}
      aria-describedby={`${id}-hint ${id}-error`}
    />
  </Field>
)

const sealed = 'Encrypted when you save it. No one can view it again, including you.'

const PlainField = ({ id, name, label, autofocus }: Omit<SecretFieldProps, 'hint' | 'optional'>) => (
  <Field label={label} id={id}>
    <input
      class="input"
      id={id}
      name={`secret.${name}`}
      autocomplete="off"
      autocapitalize="none"
      required
      autofocus={autofocus}
      aria-describedby={`${id}-error`}
    />
  </Field>
)

interface SecretFieldsProps {
  id: string
  /** For the labels: `New` in a rotation. */
  isNew?: boolean
  autofocus?: boolean
}

/** Of an SMTP server. */
export const SmtpFields = ({ id, autofocus }: SecretFieldsProps) => (
  <>
    <PlainField id={`${id}-username`} name="username" label="Username" autofocus={autofocus} />
    <SecretField id={`${id}-password`} name="password" label="Password" />
  </>
)

/** Of an OAuth app. */
export const OAuthClientFields = ({ id, autofocus }: SecretFieldsProps) => (
  <>
    <PlainField id={`${id}-client-id`} name="clientId" label="Client ID" autofocus={autofocus} />
    <SecretField id={`${id}-client-secret`} name="clientSecret" label="Client secret" />
  </>
)

export const ApiKeyFields = ({ id, isNew, autofocus }: SecretFieldsProps) => (
  <SecretField id={`${id}-key`} name="apiKey" label={isNew ? 'New key' : 'API key'} autofocus={autofocus} />
)

/** Of a provider that signs its webhooks. */
export const SigningKeyFields = ({ id, isNew, autofocus }: SecretFieldsProps) => (
  <>
    <ApiKeyFields id={id} isNew={isNew} autofocus={autofocus} />
    <SecretField
      id={`${id}-webhook-secret`}
      name="webhookSecret"
      label="Webhook secret"
      hint="Optional. It checks the provider’s webhooks that this service receives."
      optional
    />
  </>
)

/** What a provider asks for, by its kind. */
export const SecretFields = ({
  credential: { kind, family },
  ...fields
}: SecretFieldsProps & { credential: Pick<Credential, 'kind' | 'family'> }) => {
  if (kind === 'smtp') return <SmtpFields {...fields} />
  if (kind === 'oauth_client') return <OAuthClientFields {...fields} />
  return family === 'ai' ? <ApiKeyFields {...fields} /> : <SigningKeyFields {...fields} />
}
