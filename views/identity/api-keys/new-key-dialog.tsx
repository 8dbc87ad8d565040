import type { ApiKeyOptions } from '#identity/types'
import { isPlannedPermission } from '../planned-services.ts'
import { CheckList, SelectField, TextField, Form } from '#views/ui/form.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'

export const newKeyDialog = 'new-key'

const lifetimes = [
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In 1 year' },
  { value: '', label: 'Never' },
]

export const NewKeyDialog = ({ options }: { options: ApiKeyOptions }) => (
  <Dialog id={newKeyDialog} title="Create API key">
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
        <ServiceField {...options} />
        <NewKeyChoices {...options} />
        <div class="fields">
          {options.agents && options.agents.length > 0 ? <AgentField agents={options.agents} /> : null}
          <SelectField label="Expires" name="expiresInDays" id="key-life" options={lifetimes} value="90" />
        </div>
        <label class="check">
          <input type="checkbox" name="mode" value="test" />
          <span>
            Test mode
            <small class="muted">The key only works with the sandbox network.</small>
          </span>
        </label>
      </div>
      <DialogButtons dialog={newKeyDialog} submit="Create key" />
    </Form>
  </Dialog>
)

const ServiceField = ({ services, service }: Pick<ApiKeyOptions, 'services' | 'service'>) => {
  if (services.length < 2) return <input type="hidden" name="service" value={service} />
  return (
    <SelectField
      label="App"
      name="service"
      id="key-service"
      options={services.map(({ slug, name }) => ({ value: slug, label: name }))}
      value={service}
      hx-get="/api/api-keys/options"
      hx-trigger="change"
      hx-target="#key-choices"
      hx-swap="outerHTML"
    />
  )
}

const AgentField = ({ agents }: { agents: NonNullable<ApiKeyOptions['agents']> }) => (
  <SelectField
    label="Acts as"
    name="agentId"
    id="key-agent"
    hint="Shown in the audit log"
    options={[{ value: '', label: 'Myself' }, ...agents.map(({ id, name }) => ({ value: id, label: name }))]}
  />
)

export const NewKeyChoices = ({ service, scopes, resources }: Omit<ApiKeyOptions, 'services' | 'agents'>) => (
  <div class="stack" id="key-choices">
    <CheckList
      legend="What it can do"
      name="scopes"
      id="key-scopes"
      choices={scopes
        .filter(({ scope }) => !isPlannedPermission(service, scope.replace('.', ':')))
        .map(({ scope, description }) => ({ value: scope, description }))}
    />
    {resources.length > 0 ? <BrandField brands={resources} /> : null}
  </div>
)

const BrandField = ({ brands }: { brands: ApiKeyOptions['resources'] }) => (
  <>
    <input type="hidden" name="bindings[0].kind" value="brand" />
    <SelectField
      label="Brand"
      name="bindings[0].id"
      id="key-brand"
      options={[{ value: '', label: 'All brands' }, ...brands.map(({ id, name }) => ({ value: id, label: name }))]}
    />
  </>
)
