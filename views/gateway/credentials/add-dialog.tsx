import { Field, Form, SelectField, TextField } from '#views/ui/form.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { providerName } from '../provider-name.ts'
import { changesCredentials, KeyField } from './key-field.tsx'

export const addDialog = 'add-credential'

const offered = ['openai', 'anthropic', 'google', 'mistral', 'groq', 'deepseek', 'openrouter', 'together', 'x-ai']

export const AddDialog = ({ canUpdatePlatform }: { canUpdatePlatform: boolean }) => (
  <Dialog id={addDialog} title="Add a credential">
    <Form hx-post="/api/credentials" {...changesCredentials}>
      <div class="body">
        <div class="fields">
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
                {offered.map((provider) => (
                  <option value={provider} safe>
                    {providerName(provider)}
                  </option>
                ))}
              </datalist>
            </>
          </Field>
          <TextField label="Name" name="label" value="main" required maxlength="100" hint="To tell keys apart" />
        </div>
        <KeyField id="new-credential-key" label="API key" />
        <TextField
          label="Base URL"
          name="baseUrl"
          type="url"
          hint="Only for a provider that isn’t in the list. Its API must be compatible with OpenAI’s."
        />
        <div class="fields">
          <SelectField
            label="Used by"
            name="mode"
            options={[
              { value: 'live', label: 'Live keys and people' },
              { value: 'test', label: 'Test keys only' },
            ]}
          />
          {canUpdatePlatform ? (
            <SelectField
              label="Level"
              name="level"
              options={[
                { value: 'organization', label: 'This organization' },
                { value: 'platform', label: 'Platform default' },
              ]}
            />
          ) : null}
        </div>
      </div>
      <DialogButtons dialog={addDialog} submit="Add credential" />
    </Form>
  </Dialog>
)
