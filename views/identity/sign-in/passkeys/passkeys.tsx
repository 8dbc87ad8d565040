import { counted } from '#lib/text.ts'
import type { Passkey, ProofMethods } from '#identity/types'
import { Button } from '#views/ui/button.tsx'
import { Empty } from '#views/ui/feedback.tsx'
import { Form, TextField } from '#views/ui/form.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { Badge } from '#views/ui/marks.tsx'
import { Dialog, DialogButtons, MenuItem, RowMenu } from '#views/ui/overlays.tsx'
import { Setting, SettingName } from '#views/ui/settings.tsx'
import { Time } from '#views/ui/time.tsx'
import { ProofField } from '../second-factor/proof-field.tsx'
import { addPasskeyDialog, replacesSecurity } from '../security-place.ts'

interface PasskeysProps {
  passkeys: Passkey[]
  ways: ProofMethods
}

/** The row of the person's passkeys, which opens in place. */
export const PasskeyList = ({ passkeys, ways }: PasskeysProps) => (
  <li id="passkeys">
    {passkeys.length > 0 ? (
      <details class="setting" open>
        <summary>
          <SettingName icon="fingerprint" name="Passkeys" detail={<Summary passkeys={passkeys} />} />
          <Icon name="chevron-down" />
        </summary>
        <ul class="list" aria-label="Passkeys">
          {passkeys.map((passkey) => (
            <PasskeyRow passkey={passkey} ways={ways} />
          ))}
          <li>
            <AddButton />
          </li>
        </ul>
      </details>
    ) : (
      <Empty
        icon="fingerprint"
        small
        title="Sign in without a password"
        text="A passkey uses your fingerprint, face, PIN or security key. It can’t be guessed or phished."
      >
        <AddButton variant="primary" />
      </Empty>
    )}
  </li>
)

const Summary = ({ passkeys }: Pick<PasskeysProps, 'passkeys'>) => {
  const [lastUse] = passkeys
    .flatMap(({ lastUsedAt }) => lastUsedAt ?? [])
    .toSorted()
    .toReversed()
  return (
    <>
      <span safe>{counted(passkeys.length, 'passkey')}</span>
      {lastUse ? (
        <>
          , last used <Time at={lastUse} form="moment" />
        </>
      ) : null}
    </>
  )
}

const AddButton = ({ variant }: { variant?: 'primary' }) => (
  <passkey-only>
    <Button
      label="Add passkey"
      icon="plus"
      size="sm"
      variant={variant}
      commandfor={addPasskeyDialog}
      command="show-modal"
    />
  </passkey-only>
)

export const AddPasskeyDialog = ({ ways }: Pick<PasskeysProps, 'ways'>) => (
  <Dialog id={addPasskeyDialog} title="Add a passkey">
    <Form hx-post="/api/auth/me/passkeys/options" hx-target="this" hx-swap="outerHTML">
      <div class="body">
        <p>You’ll be able to sign in without a password. First, confirm that it’s you.</p>
        <ProofField id={addPasskeyDialog} ways={ways} autofocus />
      </div>
      <DialogButtons dialog={addPasskeyDialog} submit="Continue" />
    </Form>
  </Dialog>
)

const rowOf = ({ id }: Passkey): string => `passkey-${id}`
const removing = ({ id }: Passkey): string => `remove-${id}`
const renaming = ({ id }: Passkey): string => `rename-${id}`

interface PasskeyRowProps {
  passkey: Passkey
  ways: ProofMethods
}

export const PasskeyRow = ({ passkey, ways }: PasskeyRowProps) => (
  <Setting
    id={rowOf(passkey)}
    name={passkey.name}
    badge={passkey.backedUp ? <Badge label="Synced" /> : null}
    detail={
      <>
        Added <Time at={passkey.createdAt} form="longDay" />,{' '}
        {passkey.lastUsedAt ? (
          <>
            used <Time at={passkey.lastUsedAt} form="longDay" />
          </>
        ) : (
          'not used yet'
        )}
      </>
    }
  >
    <RowMenu id={`passkey-menu-${passkey.id}`} label={`More about ${passkey.name}`}>
      <MenuItem label="Rename" icon="pen-line" commandfor={renaming(passkey)} command="show-modal" />
      <MenuItem label="Remove" icon="trash-2" danger commandfor={removing(passkey)} command="show-modal" />
    </RowMenu>
    <RenameDialog passkey={passkey} />
    <RemoveDialog passkey={passkey} ways={ways} />
  </Setting>
)

const RenameDialog = ({ passkey }: { passkey: Passkey }) => (
  <Dialog id={renaming(passkey)} title="Rename passkey">
    <Form hx-put={`/api/auth/me/passkeys/${passkey.id}`} hx-target={`#${rowOf(passkey)}`} hx-swap="outerMorph">
      <div class="body">
        <TextField
          label="Name"
          name="name"
          id={`${renaming(passkey)}-name`}
          value={passkey.name}
          maxlength={100}
          autocomplete="off"
          required
          autofocus
        />
      </div>
      <DialogButtons dialog={renaming(passkey)} submit="Save" />
    </Form>
  </Dialog>
)

const RemoveDialog = ({ passkey, ways }: PasskeyRowProps) => (
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
