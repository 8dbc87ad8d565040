import type { Credential } from '#gateway/types'
import { Form, TextField } from '#views/ui/form.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { providerName } from '../provider-name.ts'
import { changesCredentials, SecretFields } from './secret-fields.tsx'

type CredentialKey = Pick<Credential, 'provider' | 'level' | 'mode'>

/** Keeps its value when the key changes, unlike the ID. */
export const idOf = ({ provider, level, mode }: CredentialKey): string => `credential-${level}-${mode}-${provider}`
export const rotateDialog = (credential: CredentialKey): string => `rotate-${idOf(credential)}`
export const renameDialog = (credential: Credential): string => `rename-${idOf(credential)}`
export const removeDialog = (credential: Credential): string => `remove-${idOf(credential)}`

export const urlOf = ({ provider, level, mode }: CredentialKey, path = ''): string =>
  `/api/credentials/${provider}${path}?${new URLSearchParams({ level, mode })}`

interface OfCredential {
  credential: Credential
}

interface RotateDialogProps {
  credential: CredentialKey & Pick<Credential, 'label' | 'lastFour' | 'kind' | 'family' | 'isCheckable'>
  /** Where another page shows it. */
  changes?: { 'hx-target': string; 'hx-swap': 'outerMorph' }
}

export const RotateDialog = ({ credential, changes = changesCredentials }: RotateDialogProps) => {
  const id = rotateDialog(credential)
  return (
    <Dialog id={id} title={`Rotate the ${providerName(credential.provider)} credential`}>
      <Form hx-post={urlOf(credential, '/rotate')} {...changes}>
        <div class="body">
          <p class="muted" safe>{`Current: ····${credential.lastFour}`}</p>
          <SecretFields credential={credential} id={id} isNew autofocus />
          <TextField label="Name" name="label" id={`${id}-label`} value={credential.label} required maxlength="100" />
          <fieldset class="field">
            <legend>Keep the old one active</legend>
            <label class="check">
              <input type="radio" name="overlap" value="until-proved" checked />
              <span>
                Until the new one proves itself
                <small class="block">100 calls without an error, 24 hours at most</small>
              </span>
            </label>
            <label class="check">
              <input type="radio" name="overlap" value="none" />
              <span>
                Replace immediately
                <small class="block">For a leaked secret. Calls in progress can fail.</small>
              </span>
            </label>
          </fieldset>
          {credential.isCheckable ? <p class="muted">It is checked with the provider first.</p> : null}
        </div>
        <DialogButtons dialog={id} submit="Start rotation" />
      </Form>
    </Dialog>
  )
}

export const RenameDialog = ({ credential }: OfCredential) => {
  const id = renameDialog(credential)
  return (
    <Dialog id={id} title={`Rename the ${providerName(credential.provider)} credential`}>
      <Form hx-patch={urlOf(credential)} {...changesCredentials}>
        <div class="body">
          <TextField
            label="Name"
            name="label"
            id={`${id}-label`}
            value={credential.label}
            required
            maxlength="100"
            autofocus
          />
        </div>
        <DialogButtons dialog={id} submit="Rename" />
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
              ? 'Organizations without a credential of their own can’t use it anymore. You can add it again later.'
              : 'From now on the platform’s default is used, if there is one. You can add the credential again later.'}
          </p>
        </div>
        <DialogButtons dialog={id} submit="Remove" danger focusCancel />
      </Form>
    </Dialog>
  )
}
