import type { Credential, CredentialList } from '#gateway/types'
import { Badge, StatusMark } from '#views/ui/marks.tsx'
import { Button } from '#views/ui/button.tsx'
import { Empty, Notice } from '#views/ui/feedback.tsx'
import { MenuItem, RowMenu } from '#views/ui/overlays.tsx'
import { Time } from '#views/ui/time.tsx'
import { providerName } from '../provider-name.ts'
import {
  idOf,
  RemoveDialog,
  removeDialog,
  RenameDialog,
  renameDialog,
  RotateDialog,
  rotateDialog,
  urlOf,
} from './dialogs.tsx'
import { changesCredentials } from './secret-fields.tsx'
import { Rotation } from './rotation.tsx'
import { actions, DataTable } from '#views/ui/data-table.tsx'

/** The organization’s and the platform’s, with what changes them. */
export const Credentials = ({ list: { items } }: { list: CredentialList }) => {
  const own = items.filter(({ level }) => level === 'organization')
  const platform = items.filter(({ level }) => level === 'platform')
  return (
    <div id="credentials" class="stack" style="--gap: var(--space-8)">
      {own
        .filter(({ health }) => health === 'unhealthy')
        .map((credential) => (
          <Failing credential={credential} />
        ))}
      <section class="section" aria-labelledby="own-credentials">
        <header>
          <h2 id="own-credentials">Your organization’s credentials</h2>
          <small class="below">Used first. Keys are never shown again after you save them.</small>
        </header>
        {own.length === 0 ? (
          <Empty
            icon="key-round"
            title="No credentials yet"
            text="Add the key of a provider to pay it directly. Until then the platform’s defaults are used, if there are any."
            small
          />
        ) : (
          <Inventory caption="Your organization’s credentials" credentials={own} />
        )}
      </section>
      {items.map((credential) =>
        credential.rotation ? <Rotation credential={credential} rotation={credential.rotation} /> : <></>,
      )}
      <section class="section" aria-labelledby="platform-credentials">
        <header>
          <h2 id="platform-credentials">Platform defaults</h2>
          <small class="below">
            Used when your organization doesn’t have its own. Only platform super admins can change them.
          </small>
        </header>
        {platform.length === 0 ? (
          <p class="muted">There are no platform defaults.</p>
        ) : (
          <Inventory caption="Platform defaults" credentials={platform} />
        )}
      </section>
      {items
        .filter(({ can }) => can.update)
        .map((credential) => (
          <>
            <RotateDialog credential={credential} />
            <RenameDialog credential={credential} />
            <RemoveDialog credential={credential} />
          </>
        ))}
    </div>
  )
}

const Failing = ({ credential }: { credential: Credential }) => (
  <Notice
    tone="danger"
    title={`The ${providerName(credential.provider)} credential ····${credential.lastFour} doesn’t work`}
    text={credential.lastError ?? undefined}
  >
    {credential.can.update ? (
      <div class="actions">
        {credential.rotation ? null : (
          <Button
            label="Rotate"
            variant="primary"
            size="sm"
            commandfor={rotateDialog(credential)}
            command="show-modal"
          />
        )}
        {credential.isCheckable ? <CheckButton credential={credential} /> : null}
      </div>
    ) : null}
  </Notice>
)

const Inventory = ({ caption, credentials }: { caption: string; credentials: Credential[] }) => (
  <div class="bleed">
    <DataTable name="inventory" caption={caption} columns={['Provider', 'Key', 'Health', 'Rotated', actions]}>
      <tbody>
        {credentials.map((credential) => (
          <Row credential={credential} />
        ))}
      </tbody>
    </DataTable>
  </div>
)

const Row = ({ credential }: { credential: Credential }) => {
  const { provider, label, lastFour, mode, createdAt, rotatedAt, can } = credential
  return (
    <tr id={idOf(credential)}>
      <td data-at="title">
        <b class="wrap-anywhere" safe>
          {providerName(provider)}
        </b>{' '}
        {mode === 'test' ? <Badge label="Test" tone="info" /> : null}
        <small class="wrap-anywhere" safe>
          {label}
        </small>
      </td>
      <td data-at="end">
        <KeyCode lastFour={lastFour} />
      </td>
      <td data-at="sub">
        <Health credential={credential} />
      </td>
      <td data-at="time" class="wide-only muted">
        <Time at={rotatedAt ?? createdAt} form="shortDay" />
      </td>
      <td data-at="menu">{can.update ? <Actions credential={credential} /> : null}</td>
    </tr>
  )
}

const KeyCode = ({ lastFour }: { lastFour: string }) => (
  <span class="key-code">
    <span class="visually-hidden">Ends in </span>
    <span aria-hidden="true">····</span>
    <span safe>{lastFour}</span>
  </span>
)

const Health = ({ credential: { health, lastError, checkedAt, rotation } }: { credential: Credential }) => {
  if (rotation)
    return (
      <>
        <StatusMark state="waiting" icon="circle-dot" word="Rotating" />
        <small class="why">
          <span
            safe
          >{`····${rotation.lastFour} is taking over: ${rotation.calls} of ${rotation.neededCalls} calls`}</span>
        </small>
      </>
    )
  if (health === 'unknown') return <StatusMark state="draft" icon="circle-dashed" word="Not checked" />
  return (
    <>
      {health === 'healthy' ? (
        <StatusMark state="published" icon="circle-check" word="Healthy" />
      ) : (
        <StatusMark state="failed" icon="circle-alert" word="Failing" />
      )}
      <small class="why wrap-anywhere">
        {lastError ? <span safe>{lastError} </span> : null}
        {checkedAt ? (
          <>
            Checked <Time at={checkedAt} form="moment" />
          </>
        ) : null}
      </small>
    </>
  )
}

const CheckButton = ({ credential }: { credential: Credential }) => (
  <Button
    label="Check now"
    size="sm"
    aria-label={`Check now: ${providerName(credential.provider)}`}
    hx-post={urlOf(credential, '/check')}
    {...changesCredentials}
  />
)

const Actions = ({ credential }: { credential: Credential }) => {
  const menu = `${idOf(credential)}-menu`
  return (
    <div class="actions">
      {credential.isCheckable ? <CheckButton credential={credential} /> : null}
      <RowMenu id={menu} label={`Actions for ${providerName(credential.provider)}`}>
        {credential.rotation ? null : (
          <MenuItem label="Rotate" icon="rotate-cw" commandfor={rotateDialog(credential)} command="show-modal" />
        )}
        <MenuItem label="Rename" icon="pen-line" commandfor={renameDialog(credential)} command="show-modal" />
        <MenuItem label="Remove" icon="trash-2" danger commandfor={removeDialog(credential)} command="show-modal" />
      </RowMenu>
    </div>
  )
}
