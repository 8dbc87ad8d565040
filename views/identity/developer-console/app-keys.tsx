import type { Children } from '@kitajs/html'
import type { ApiKey, DeveloperApp, KeyService } from '#identity/types'
import { Badge } from '#views/ui/marks.tsx'
import { Button } from '#views/ui/button.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { Empty, Notice } from '#views/ui/feedback.tsx'
import { Form } from '#views/ui/form.tsx'
import { Time, viewerZoneName } from '#views/ui/time.tsx'
import { isInactive } from '../api-keys/is-inactive.ts'
import { NewAppKeyButton, NewAppKeyDialog } from './new-app-key.tsx'

export interface AppKeysProps {
  app: DeveloperApp
  keys: ApiKey[]
  services: KeyService[]
  now: Date
  notice?: Children
}

export const AppKeys = ({ notice, ...props }: AppKeysProps) => (
  <div class="page stack" style="--gap: var(--space-5)">
    {notice}
    <div class="intro">
      <p>Your app calls other services with these. They are limited to the scopes that it requests.</p>
      {props.keys.length > 0 && props.services.length > 0 ? <NewAppKeyButton /> : null}
    </div>
    {props.services.length > 0 ? null : (
      <Notice title="No scopes yet" text="Choose scopes of other services on the Overview tab." />
    )}
    {props.keys.length > 0 ? (
      <AppKeyTable appId={props.app.id} keys={props.keys} now={props.now} />
    ) : (
      <None {...props} />
    )}
    {props.services.length > 0 ? <NewAppKeyDialog {...props} /> : null}
  </div>
)

const None = ({ services }: AppKeysProps) => (
  <Empty icon="key-round" title="No keys yet" text="Create a test key to try the app on the sandbox network." small>
    {services.length > 0 ? <NewAppKeyButton /> : null}
  </Empty>
)

interface AppKeyTableProps {
  appId: string
  keys: ApiKey[]
  now: Date
}

export const AppKeyTable = ({ appId, keys, now }: AppKeyTableProps) => (
  <div class="bleed">
    <table class="table app-keys" data-list data-lines="2">
      <caption class="visually-hidden">API keys of this app</caption>
      <thead>
        <tr>
          <th scope="col">Key</th>
          <th scope="col">Scopes</th>
          <th scope="col" class="c-last" safe>{`Last used (${viewerZoneName()})`}</th>
          <th scope="col" class="c-made">
            Created
          </th>
          <th scope="col" class="c-menu">
            <span class="visually-hidden">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <AppKeyRow appId={appId} apiKey={key} now={now} />
        ))}
      </tbody>
    </table>
  </div>
)

interface AppKeyRowProps {
  appId: string
  apiKey: ApiKey
  now: Date
}

export const AppKeyRow = ({ appId, apiKey, now }: AppKeyRowProps) => {
  const hasEnded = isInactive(apiKey, now)
  return (
    <tr id={`app-key-${apiKey.id}`} data-ended={hasEnded}>
      <td data-at="title">
        <span class="wrap-anywhere" safe>
          {apiKey.name}
        </span>{' '}
        {apiKey.mode === 'test' ? <Badge label="Test" /> : null}
        <small class="mono muted" safe>{`…${apiKey.lastFour}`}</small>
      </td>
      <td data-at="sub">
        <span class="wrap-anywhere" safe>
          {apiKey.scopes.join(', ')}
        </span>
        <small class="mono muted" safe>
          {apiKey.service}
        </small>
      </td>
      <td class="wide-only muted">{apiKey.lastUsedAt ? <Time at={apiKey.lastUsedAt} form="moment" /> : 'Never'}</td>
      <td class="wide-only muted">
        <Time at={apiKey.createdAt} form="shortDay" />
      </td>
      <td data-at="menu" class="end">
        {hasEnded ? <Badge label="Inactive" /> : <Revoke appId={appId} apiKey={apiKey} />}
      </td>
    </tr>
  )
}

const Revoke = ({ appId, apiKey }: Omit<AppKeyRowProps, 'now'>) => {
  const dialog = `revoke-${apiKey.id}`
  return (
    <>
      <Button
        label={`Revoke ${apiKey.name}`}
        icon="trash-2"
        iconOnly
        variant="ghost"
        commandfor={dialog}
        command="show-modal"
      />
      <Dialog id={dialog} title={`Revoke ${apiKey.name}?`}>
        <Form
          hx-delete={`/api/developers/apps/${appId}/keys/${apiKey.id}`}
          hx-target={`#app-key-${apiKey.id}`}
          hx-swap="outerMorph"
        >
          <div class="body">
            <p>Requests with this key will fail immediately. This can’t be undone.</p>
          </div>
          <DialogButtons dialog={dialog} submit="Revoke" danger focusCancel />
        </Form>
      </Dialog>
    </>
  )
}
