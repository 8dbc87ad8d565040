import type { Passkey, ProofMethods } from '#identity/types'
import { Badge } from '#views/ui/marks.tsx'
import { Button } from '#views/ui/button.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { TextField, Form } from '#views/ui/form.tsx'
import { Time } from '#views/ui/time.tsx'
import { replacesSecurity } from '../security-place.ts'
import { passkeyPlace } from './new-passkey.tsx'
import { ProofField } from '../second-factor/proof-field.tsx'

interface PasskeysProps {
  passkeys: Passkey[]
  ways: ProofMethods
}

export const Passkeys = ({ passkeys, ways }: PasskeysProps) => (
  <section class="section" id="passkey-section" aria-labelledby="passkeys">
    <h2 id="passkeys">Passkeys</h2>
    <p class="muted">Sign in with your fingerprint, face, PIN or security key instead of a password.</p>
    <PasskeyList passkeys={passkeys} />
    <AddPasskey ways={ways} />
    {passkeys.map((passkey) => (
      <>
        <RenameDialog passkey={passkey} />
        <RemoveDialog passkey={passkey} ways={ways} />
      </>
    ))}
  </section>
)

export const PasskeyList = ({ passkeys }: { passkeys: Passkey[] }) =>
  passkeys.length > 0 ? (
    <ul class="list" aria-label="Passkeys">
      {passkeys.map((passkey) => (
        <Line passkey={passkey} />
      ))}
    </ul>
  ) : (
    <></>
  )

const adding = 'add-passkey'

const AddPasskey = ({ ways }: { ways: ProofMethods }) => (
  <div id={passkeyPlace} class="stack">
    <passkey-only class="actions" hidden>
      <Button label="Add a passkey" icon="fingerprint" commandfor={adding} command="show-modal" />
    </passkey-only>
    <Dialog id={adding} title="Add a passkey?">
      <Form hx-post="/api/auth/me/passkeys/options" hx-target={`#${passkeyPlace}`} hx-swap="outerHTML">
        <div class="body">
          <p>You’ll be able to sign in without a password. First, confirm that it’s you.</p>
          <ProofField id={adding} ways={ways} autofocus />
        </div>
        <DialogButtons dialog={adding} submit="Continue" />
      </Form>
    </Dialog>
  </div>
)

const removing = ({ id }: Passkey): string => `remove-${id}`
const renaming = ({ id }: Passkey): string => `rename-${id}`

const Line = ({ passkey }: { passkey: Passkey }) => (
  <li id={`passkey-${passkey.id}`}>
    <span class="grow">
      <span class="wrap-anywhere" safe>
        {passkey.name}
      </span>{' '}
      {passkey.backedUp ? <Badge label="Synced" /> : null}
      <small>
        Added <Time at={passkey.createdAt} form="day" />,{' '}
        {passkey.lastUsedAt ? (
          <>
            used <Time at={passkey.lastUsedAt} form="day" />
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
  </li>
)

const RenameDialog = ({ passkey }: { passkey: Passkey }) => (
  <Dialog id={renaming(passkey)} title="Rename the passkey">
    <Form hx-put={`/api/auth/me/passkeys/${passkey.id}`} hx-target="#passkey-section" hx-swap="outerMorph">
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
      <DialogButtons dialog={renaming(passkey)} submit="Rename" />
    </Form>
  </Dialog>
)

const RemoveDialog = ({ passkey, ways }: { passkey: Passkey; ways: ProofMethods }) => (
  <Dialog id={removing(passkey)} title={`Remove ${passkey.name}?`}>
    <Form hx-delete={`/api/auth/me/passkeys/${passkey.id}`} {...replacesSecurity}>
      <div class="body">
        <p>You can no longer sign in with it. Also delete it on your device, so the device stops suggesting it.</p>
        <ProofField id={removing(passkey)} ways={ways} autofocus />
      </div>
      <DialogButtons dialog={removing(passkey)} submit="Remove" danger />
    </Form>
  </Dialog>
)
