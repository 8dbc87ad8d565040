import type { ApiKey, DeveloperApp } from '#identity/types'
import { Badge } from '#views/ui/badge.tsx'
import { Button } from '#views/ui/button.tsx'
import { Dialog, DialogButtons } from '#views/ui/dialog.tsx'
import { Empty } from '#views/ui/empty.tsx'
import { Form } from '#views/ui/form.tsx'
import { Notice } from '#views/ui/notice.tsx'
import { Time } from '#views/ui/time.tsx'
import { hasEnded, stateOf } from '../api-keys/api-key-state.ts'
import { NewAppKeyButton, NewAppKeyDialog, type AppService } from './new-app-key.tsx'

export interface AppKeysProps {
  app: DeveloperApp
  keys: ApiKey[]
  /** The services whose scopes the app asks for, and its own. */
  services: AppService[]
  now: Date
}

/** The API keys by which an app works. */
export const AppKeys = (props: AppKeysProps) => (
  <section class="section" aria-labelledby="app-keys">
    <header>
      <h2 id="app-keys">API keys</h2>
      {props.keys.length > 0 && props.services.length > 0 ? <NewAppKeyButton /> : null}
    </header>
    <p class="muted prose">These keys are limited to the scopes that the app requests.</p>
    {props.services.length > 0 ? null : (
      <Notice title="No scopes yet" text="Choose scopes of other services in the overview." />
    )}
    {props.keys.length > 0 ? <Table {...props} /> : <None {...props} />}
    {props.services.length > 0 ? <NewAppKeyDialog {...props} /> : null}
  </section>
)

const None = ({ services }: AppKeysProps) => (
  <Empty icon="key-round" title="No keys yet" text="Create a test key to try the app on the sandbox network." small>
    {services.length > 0 ? <NewAppKeyButton /> : null}
  </Empty>
)

const Table = ({ app, keys, now }: AppKeysProps) => (
  <table class="table keys" data-list>
    <caption class="visually-hidden">API keys of the app</caption>
    <thead>
      <tr>
        <th scope="col">Name</th>
        <th scope="col">Scopes</th>
        <th scope="col">Created (UTC)</th>
        <th scope="col">
          <span class="visually-hidden">Actions</span>
        </th>
      </tr>
    </thead>
    <tbody>
      {keys.map((key) => (
        <Row app={app} apiKey={key} ended={hasEnded(stateOf(key, true, now))} />
      ))}
    </tbody>
  </table>
)

interface RowProps {
  app: DeveloperApp
  apiKey: ApiKey
  ended: boolean
}

const Row = ({ app, apiKey, ended }: RowProps) => (
  <tr data-ended={ended}>
    <td data-at="title">
      <span class="wrap-anywhere" safe>
        {apiKey.name}
      </span>{' '}
      {apiKey.mode === 'test' ? <Badge label="Test" /> : null}
      <small class="mono muted" safe>{`…${apiKey.lastFour}`}</small>
    </td>
    <td data-at="sub">
      <span class="small" safe>
        {`${apiKey.service}: ${apiKey.scopes.join(', ')}`}
      </span>
    </td>
    <td class="wide-only">
      <Time at={apiKey.createdAt} zone="UTC" form="day" />
    </td>
    <td data-at="end" class="end">
      {ended ? <Badge label="Ended" /> : <Revoke app={app} apiKey={apiKey} />}
    </td>
  </tr>
)

const Revoke = ({ app, apiKey }: Omit<RowProps, 'ended'>) => {
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
        <Form hx-delete={`/developers/apps/${app.id}/keys/${apiKey.id}`}>
          <div class="body">
            <p>Requests with this key will fail immediately. This can’t be undone.</p>
          </div>
          <DialogButtons dialog={dialog} submit="Revoke" danger focusCancel />
        </Form>
      </Dialog>
    </>
  )
}
