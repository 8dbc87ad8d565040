import type { Children } from '@kitajs/html'
import { Field, Form, SelectField, TextField } from '#views/ui/form.tsx'
import { Button } from '#views/ui/button.tsx'
import { Dialog, DialogButtons, Menu, MenuItem } from '#views/ui/overlays.tsx'
import { providerName } from '../provider-name.ts'
import { ApiKeyFields, changesCredentials, OAuthClientFields, SigningKeyFields, SmtpFields } from './secret-fields.tsx'

const modelProviders = [
  'openai',
  'anthropic',
  'google',
  'mistral',
  'groq',
  'deepseek',
  'openrouter',
  'together',
  'x-ai',
]
const services = ['stripe', 'resend', 'cloudflare_email']
const networks = ['youtube', 'x', 'linkedin', 'linkedin-page', 'facebook', 'instagram', 'threads', 'tiktok']

export const addAppDialog = 'add-app'

interface AddProps {
  canUpdatePlatform: boolean
  /** Where another page shows them. */
  changes?: { 'hx-target': string; 'hx-swap': 'outerMorph' }
}

/** One dialog for each kind of credential, chosen first. */
export const AddButton = () => (
  <>
    <Button label="Add credential" icon="plus" variant="primary" popovertarget="add-credential" />
    <Menu id="add-credential">
      <MenuItem label="Models" icon="boxes" commandfor="add-models" command="show-modal" />
      <MenuItem label="Payments or email" icon="key-round" commandfor="add-service" command="show-modal" />
      <MenuItem label="SMTP server" icon="mail" commandfor="add-smtp" command="show-modal" />
      <MenuItem label="Social app" icon="globe" commandfor={addAppDialog} command="show-modal" />
    </Menu>
  </>
)

export const AddDialogs = (props: AddProps) => (
  <>
    <AddModels {...props} />
    <AddService {...props} />
    <AddSmtp {...props} />
    <AddApp {...props} />
  </>
)

interface AddDialogProps extends AddProps {
  id: string
  title: string
  children: Children
}

const AddDialog = ({ id, title, canUpdatePlatform, changes = changesCredentials, children }: AddDialogProps) => (
  <Dialog id={id} title={title}>
    <Form hx-post="/api/credentials" {...changes}>
      <div class="body">
        {children}
        <TextField
          label="Name"
          name="label"
          id={`${id}-label`}
          value="main"
          required
          maxlength="100"
          hint="To tell credentials apart"
        />
        <div class="fields">
          <SelectField
            label="Used by"
            name="mode"
            id={`${id}-mode`}
            options={[
              { value: 'live', label: 'Live keys and people' },
              { value: 'test', label: 'Test keys only' },
            ]}
          />
          {canUpdatePlatform ? (
            <SelectField
              label="Level"
              name="level"
              id={`${id}-level`}
              options={[
                { value: 'organization', label: 'This organization' },
                { value: 'platform', label: 'Platform default' },
              ]}
            />
          ) : null}
        </div>
      </div>
      <DialogButtons dialog={id} submit="Add credential" />
    </Form>
  </Dialog>
)

const AddModels = (props: AddProps) => (
  <AddDialog id="add-models" title="Add a credential for models" {...props}>
    <Field label="Provider" id="provider" hint="Such as openai">
      <>
        <input
          class="input"
          id="provider"
          name="provider"
          list="providers"
          required
          autofocus
          autocomplete="off"
          autocapitalize="none"
          aria-describedby="provider-hint provider-error"
        />
        <datalist id="providers">
          {modelProviders.map((provider) => (
            <option value={provider} safe>
              {providerName(provider)}
            </option>
          ))}
        </datalist>
      </>
    </Field>
    <ApiKeyFields id="new-models" />
    <TextField
      label="Base URL"
      name="baseUrl"
      type="url"
      hint="Only for a provider that isn’t in the list. Its API must be compatible with OpenAI’s."
    />
  </AddDialog>
)

const ProviderSelect = ({ id, providers }: { id: string; providers: readonly string[] }) => (
  <SelectField
    label="Provider"
    name="provider"
    id={`${id}-provider`}
    autofocus
    options={providers.map((value) => ({ value, label: providerName(value) }))}
  />
)

const AddService = (props: AddProps) => (
  <AddDialog id="add-service" title="Add a credential for payments or email" {...props}>
    <ProviderSelect id="new-service" providers={services} />
    <SigningKeyFields id="new-service" />
  </AddDialog>
)

const AddSmtp = (props: AddProps) => (
  <AddDialog id="add-smtp" title="Add an SMTP server" {...props}>
    <input type="hidden" name="provider" value="smtp" />
    <TextField
      label="Server"
      name="baseUrl"
      id="smtp-url"
      required
      autofocus
      placeholder="smtp://mail.example.com:587"
      autocapitalize="none"
      hint="smtp:// uses STARTTLS where the server offers it, smtps:// always TLS."
    />
    <SmtpFields id="new-smtp" />
  </AddDialog>
)

export const AddApp = (props: AddProps) => (
  <AddDialog id={addAppDialog} title="Add the app of a social network" {...props}>
    <ProviderSelect id="new-app" providers={networks} />
    <OAuthClientFields id="new-app" />
  </AddDialog>
)
