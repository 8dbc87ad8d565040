import type { Passkey } from '#identity'
import { Badge } from '#views/ui/badge.tsx'
import { Button } from '#views/ui/button.tsx'
import { Dialog } from '#views/ui/dialog.tsx'
import { TextField } from '#views/ui/field.tsx'
import { Form } from '#views/ui/form.tsx'
import { Time } from '#views/ui/time.tsx'
import { ProofField } from './proof-field.tsx'

interface PasskeysProps {
  passkeys: Passkey[]
  hasPassword: boolean
}

/** The devices that sign one in by themselves. */
export const Passkeys = ({ passkeys, hasPassword }: PasskeysProps) => (
  <section class="section" aria-labelledby="passkeys">
    <h2 id="passkeys">Passkeys</h2>
    <p class="muted">
      Sign in with your fingerprint, face or PIN on your phone, computer or security key. There is no password to type
      or to steal.
    </p>
    {passkeys.length > 0 ? (
      <ul class="list" aria-label="Passkeys">
        {passkeys.map((passkey) => (
          <Line passkey={passkey} hasPassword={hasPassword} />
        ))}
      </ul>
    ) : null}
    <NewPasskey />
  </section>
)

const NewPasskey = () => (
  <passkey-form data-options="/api/auth/me/passkeys/options" data-create hidden>
    <Form class="stack" hx-post="/api/auth/me/passkeys">
      <input type="hidden" name="credential" />
      <TextField
        label="Name"
        name="name"
        id="passkey-name"
        hint="So that you can tell your devices apart"
        value="This device"
        maxlength={100}
        autocomplete="off"
        required
      />
      <div class="actions">
        <Button label="Add a passkey" icon="fingerprint" type="submit" />
        <span class="muted small" role="status" />
      </div>
    </Form>
  </passkey-form>
)

const removing = ({ id }: Passkey): string => `remove-${id}`
const renaming = ({ id }: Passkey): string => `rename-${id}`

const Line = ({ passkey, hasPassword }: { passkey: Passkey; hasPassword: boolean }) => (
  <li>
    <span class="grow">
      <span class="wrap-anywhere" safe>
        {passkey.name}
      </span>{' '}
      {passkey.backedUp ? <Badge label="Synced" /> : null}
      <small>
        Added <Time at={passkey.createdAt} zone="UTC" form="day" />,{' '}
        {passkey.lastUsedAt ? (
          <>
            used <Time at={passkey.lastUsedAt} zone="UTC" form="day" />
          </>
        ) : (
          'not used yet'
        )}
      </small>
    </span>
    <Button
      label="Rename"
      aria-label={`Rename ${passkey.name}`}
      size="sm"
      variant="ghost"
      commandfor={renaming(passkey)}
      command="show-modal"
    />
    <Button
      label="Remove"
      aria-label={`Remove ${passkey.name}`}
      size="sm"
      variant="quiet-danger"
      commandfor={removing(passkey)}
      command="show-modal"
    />
    <RenameDialog passkey={passkey} />
    <RemoveDialog passkey={passkey} hasPassword={hasPassword} />
  </li>
)

const RenameDialog = ({ passkey }: { passkey: Passkey }) => (
  <Dialog id={renaming(passkey)} title="Rename the passkey">
    <Form hx-put={`/api/auth/me/passkeys/${passkey.id}`}>
      <div class="body">
        <TextField
          label="Name"
          name="name"
          id={`${renaming(passkey)}-name`}
          value={passkey.name}
          maxlength={100}
          autocomplete="off"
          required
        />
      </div>
      <footer>
        <Button label="Cancel" variant="ghost" commandfor={renaming(passkey)} command="close" />
        <Button label="Rename" variant="primary" type="submit" />
      </footer>
    </Form>
  </Dialog>
)

const RemoveDialog = ({ passkey, hasPassword }: { passkey: Passkey; hasPassword: boolean }) => (
  <Dialog id={removing(passkey)} title={`Remove ${passkey.name}?`}>
    <Form hx-delete={`/api/auth/me/passkeys/${passkey.id}`}>
      <div class="body">
        <p>It signs you in no more. Delete it on the device too, or that will go on offering it.</p>
        <ProofField id={removing(passkey)} hasPassword={hasPassword} />
      </div>
      <footer>
        <Button label="Keep" variant="ghost" commandfor={removing(passkey)} command="close" />
        <Button label="Remove" variant="danger" type="submit" />
      </footer>
    </Form>
  </Dialog>
)
