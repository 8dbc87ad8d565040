import type { OfferedResource } from '#identity/types'
import { Button } from '#views/ui/button.tsx'
import { CheckList } from '#views/ui/check-list.tsx'
import { Dialog } from '#views/ui/dialog.tsx'
import { SelectField, TextField } from '#views/ui/field.tsx'
import { Form } from '#views/ui/form.tsx'

export interface NewKeyProps {
  /** The services whose keys the reader may make. */
  services: { slug: string; name: string }[]
  /** The slug of the one at hand. */
  service: string
  /** What of it the reader may give. */
  scopes: { scope: string; description: string; actions: string[] }[]
  /** What of it a key can be bound to. */
  bindables: OfferedResource[]
  /** Who can work by a key instead of the reader. */
  agents: { id: string; name: string }[]
}

/** The dialog's id. */
export const newKeyDialog = 'new-key'

const modes = [
  { value: 'live', label: 'Live' },
  { value: 'test', label: 'Test' },
]

const lives = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: '', label: 'Never' },
]

/** Asks what a new key is for, and then shows it. */
export const NewKeyDialog = (props: NewKeyProps) => (
  <Dialog id={newKeyDialog} title="New API key">
    <Form hx-post="/api/api-keys" hx-target="this" hx-swap="outerHTML">
      <div class="body">
        <TextField
          label="Name"
          name="name"
          id="key-name"
          hint="Name the program that uses it, such as CI"
          maxlength={100}
          autocomplete="off"
          required
          autofocus
        />
        <SelectField
          label="Service"
          name="service"
          id="key-service"
          options={props.services.map(({ slug, name }) => ({ value: slug, label: name }))}
          value={props.service}
          hx-get="/settings/keys"
          hx-trigger="change"
          hx-target="#key-reach"
          hx-select="#key-reach"
          hx-swap="outerHTML"
        />
        <Reach {...props} />
        {props.agents.length > 0 ? <Worker agents={props.agents} /> : null}
        <SelectField
          label="Kind"
          name="mode"
          id="key-mode"
          hint="A test key reaches only the sandbox network"
          options={modes}
          value="live"
        />
        <SelectField label="Expires" name="expiresInDays" id="key-life" options={lives} value="90" />
      </div>
      <footer>
        <Button label="Cancel" variant="ghost" commandfor={newKeyDialog} command="close" />
        <Button label="Create key" variant="primary" type="submit" />
      </footer>
    </Form>
  </Dialog>
)

const Worker = ({ agents }: Pick<NewKeyProps, 'agents'>) => (
  <SelectField
    label="Acts as"
    name="agentId"
    id="key-agent"
    hint="Shown in the audit log"
    options={[{ value: '', label: 'Myself' }, ...agents.map(({ id, name }) => ({ value: id, label: name }))]}
  />
)

/** What depends on the service: another one brings its own. */
const Reach = ({ scopes, bindables }: NewKeyProps) => (
  <div class="stack" id="key-reach">
    <CheckList
      legend="Scopes"
      name="scopes"
      id="key-scopes"
      choices={scopes.map(({ scope, description, actions }) => ({
        value: scope,
        description: actions.length > 0 ? `${description}: ${actions.join(', ')}` : description,
      }))}
    />
    {bindables.length > 0 ? <Binding bindables={bindables} /> : null}
  </div>
)

const Binding = ({ bindables }: Pick<NewKeyProps, 'bindables'>) => (
  <>
    <input type="hidden" name="bindings[0].kind" value="brand" />
    <SelectField
      label="Brand"
      name="bindings[0].id"
      id="key-brand"
      options={[{ value: '', label: 'All brands' }, ...bindables.map(({ id, name }) => ({ value: id, label: name }))]}
    />
  </>
)
