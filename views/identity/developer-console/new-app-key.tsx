import type { DeveloperApp, KeyService } from '#identity/types'
import { Button } from '#views/ui/button.tsx'
import { CheckList, SelectField, TextField, Form } from '#views/ui/form.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'

const dialog = 'new-app-key'
const modes = [
  { value: 'test', label: 'Test', text: 'Reaches only the sandbox network' },
  { value: 'live', label: 'Live', text: 'Reaches real accounts' },
] as const

export const NewAppKeyButton = () => <Button label="New key" icon="plus" commandfor={dialog} command="show-modal" />

export const NewAppKeyDialog = ({ app, services }: { app: DeveloperApp; services: KeyService[] }) => (
  <Dialog id={dialog} title="New API key">
    <Form hx-post={`/api/developers/apps/${app.id}/keys`} hx-target="this" hx-swap="outerHTML">
      <div class="body">
        <TextField label="Name" name="name" id="key-name" maxlength={100} autocomplete="off" required autofocus />
        <KeyServiceFields services={services} />
        <fieldset class="field">
          <legend>Mode</legend>
          {modes.map(({ value, label, text }) => (
            <label class="check">
              <input type="radio" name="mode" value={value} checked={value === 'test'} />
              <span>
                {label}
                <small class="muted">{text}</small>
              </span>
            </label>
          ))}
        </fieldset>
      </div>
      <DialogButtons dialog={dialog} submit="Create key" />
    </Form>
  </Dialog>
)

/** A service and its scopes. */
export const KeyServiceFields = ({ services }: { services: KeyService[] }) => (
  <>
    <SelectField
      label="Service"
      name="service"
      id="key-service"
      options={services.map(({ slug, name }) => ({ value: slug, label: name }))}
    />
    <CheckList legend="Scopes" name="scopes" id="key-scopes" choices={choicesOf(services)} />
  </>
)

/** With one service, all its scopes are checked. */
const choicesOf = (services: KeyService[]) =>
  services.flatMap(({ name, scopes }) =>
    scopes.map((value) => ({ value, description: name, checked: services.length === 1 })),
  )
