import type { CatalogService } from '#identity/types'
import { Button } from '#views/ui/button.tsx'
import { Field, Form, SelectField, TextField, UnsavedChanges } from '#views/ui/form.tsx'
import { kinds } from './service-kinds.ts'
import { inPlace } from './service-place.ts'

interface OfService {
  service: CatalogService
}

export const ServiceEntry = ({ service }: OfService) => (
  <Form class="stack" hx-patch={`/api/services/${service.id}`} {...inPlace}>
    <div class="fields" style="--min: 16rem">
      <TextField label="Name" name="name" value={service.name} maxlength={100} autocomplete="off" required />
      <TextField
        label="Description"
        name="description"
        value={service.description}
        maxlength={300}
        autocomplete="off"
        required
      />
      <SelectField label="Kind" name="surface_kind" options={kinds} value={service.surface_kind} />
      <Line
        label="Group"
        name="surface_group"
        value={service.surface_group}
        hint="The heading that it’s listed under"
      />
      <Line label="Icon" name="icon" value={service.icon} hint="An icon name" />
      <Line label="Web URL" name="webUrl" value={service.webUrl} hint="The start page, as a path or URL" />
      <Line label="Widget URL" name="widgetUrl" value={service.widgetUrl} />
      <Line label="iOS link" name="nativeLinks.ios" value={service.nativeLinks.ios} />
      <Line label="Android link" name="nativeLinks.android" value={service.nativeLinks.android} />
    </div>
    <RedirectUris service={service} />
    {service.firstParty ? null : (
      <Line
        label="Hand-off URI"
        name="handoffUri"
        value={service.handoffUri}
        hint="One of the redirect URIs. The app switcher opens it with a one-time code; without it, it opens the web URL."
      />
    )}
    <Contexts service={service} />
    <fieldset class="field">
      <legend>Options</legend>
      <Switch name="launchable" on={service.launchable} label="Show in the app switcher" />
      <Switch name="household_capable" on={service.household_capable} label="Available to households" />
      <Switch name="firstParty" on={service.firstParty} label="First-party" />
      <Switch name="paid" on={service.paid} label="Counts toward an organization’s paid apps" />
      <Switch name="defaultAccess" on={service.defaultAccess} label="Enabled for new organizations" />
    </fieldset>
    <div class="row">
      <UnsavedChanges />
      <Button label="Save" variant="primary" type="submit" />
    </div>
  </Form>
)

interface LineProps {
  label: string
  name: string
  value: string | null
  hint?: string
}

const Line = ({ value, ...field }: LineProps) => (
  <TextField {...field} value={value ?? ''} autocomplete="off" autocapitalize="none" spellcheck="false" />
)

const RedirectUris = ({ service }: OfService) => (
  <Field
    label="Redirect URIs"
    id="redirectUris"
    hint="One per line. After signing in, people are only redirected to these exact URLs."
  >
    <textarea
      class="input mono"
      id="redirectUris"
      name="redirectUris"
      rows="3"
      spellcheck="false"
      aria-describedby="redirectUris-hint redirectUris-error"
      safe
    >
      {service.redirectUris.join('\n')}
    </textarea>
  </Field>
)

const contexts = [
  { value: 'personal', label: 'Personal accounts' },
  { value: 'organization', label: 'Organizations' },
] as const

const Contexts = ({ service }: OfService) => (
  <fieldset class="field">
    <legend>Available in</legend>
    {contexts.map(({ value, label }) => (
      <label class="check">
        <input
          type="checkbox"
          name="supportedContexts[]"
          value={value}
          checked={service.supportedContexts.includes(value)}
        />
        <span>{label}</span>
      </label>
    ))}
  </fieldset>
)

/** The hidden field is sent when the box is unchecked. */
const Switch = ({ name, on, label }: { name: string; on: boolean; label: string }) => (
  <label class="check">
    <input type="hidden" name={name} value="false" />
    <input type="checkbox" name={name} value="true" checked={on} />
    <span safe>{label}</span>
  </label>
)
