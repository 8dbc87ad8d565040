import type { Credential } from '#gateway/types'
import { Form, TextField } from '#views/ui/form.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { providerName } from '../provider-name.ts'
import { changesCredentials, KeyField } from './key-field.tsx'

/** Keeps its value when the key changes, unlike the ID. */
export const idOf = ({ provider, level, mode }: Credential): string => `credential-${level}-${mode}-${provider}`
export const rotateDialog = (credential: Credential): string => `rotate-${idOf(credential)}`
export const removeDialog = (credential: Credential): string => `remove-${idOf(credential)}`

export const urlOf = ({ provider, level, mode }: Credential, path = ''): string =>
  `/api/credentials/${provider}${path}?${new URLSearchParams({ level, mode })}`

interface OfCredential {
  credential: Credential
}

export const RotateDialog = ({ credential }: OfCredential) => {
  const id = rotateDialog(credential)
  return (
    <Dialog id={id} title={`Rotate the ${providerName(credential.provider)} key`}>
      <Form hx-post={urlOf(credential, '/rotate')} {...changesCredentials}>
        <div class="body">
          <p class="muted" safe>{`Current key: ····${credential.lastFour}`}</p>
          <KeyField id={`${id}-key`} label="New key" autofocus />
          <TextField label="Name" name="label" id={`${id}-label`} value={credential.label} required maxlength="100" />
          <fieldset class="field">
            <legend>Keep the old key active</legend>
            <label class="check">
              <input type="radio" name="overlap" value="until-proved" checked />
              <span>
                Until the new key proves itself
                <small class="block">100 calls without an error, 24 hours at most</small>
              </span>
            </label>
            <label class="check">
              <input type="radio" name="overlap" value="none" />
              <span>
                Replace immediately
                <small class="block">For a leaked key. Calls in progress can fail.</small>
              </span>
            </label>
          </fieldset>
          <p class="muted">The new key is checked with the provider first.</p>
        </div>
        <DialogButtons dialog={id} submit="Start rotation" />
      </Form>
    </Dialog>
  )
}

export const RemoveDialog = ({ credential }: OfCredential) => {
  const id = removeDialog(credential)
  return (
    <Dialog id={id} title={`Remove the ${providerName(credential.provider)} credential?`}>
      <Form hx-delete={urlOf(credential)} {...changesCredentials}>
        <div class="body">
          <p>
            {credential.level === 'platform'
              ? 'Organizations without a credential of their own can’t call its models anymore. You can add the key again later.'
              : 'Its models are paid with the platform’s default from now on, or can’t be called if there is none. You can add the key again later.'}
          </p>
        </div>
        <DialogButtons dialog={id} submit="Remove" danger focusCancel />
      </Form>
    </Dialog>
  )
}
