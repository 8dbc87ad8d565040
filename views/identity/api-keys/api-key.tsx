import type { ApiKeyDetail } from '#identity/types'
import { capitalize } from '#lib/text.ts'
import { Button } from '#views/ui/button.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { StatusMark, type StatusLook } from '#views/ui/marks.tsx'
import { MenuItem, RowMenu } from '#views/ui/overlays.tsx'
import { Time } from '#views/ui/time.tsx'
import {
  ReduceDialog,
  reduceDialog,
  RevokeDialog,
  revokeDialog,
  RotateDialog,
  rotateDialog,
} from './api-key-actions.tsx'
import { ActsAs, Expiry, hasEnded, reachOf } from './api-key-row.tsx'

interface OfKey {
  apiKey: ApiKeyDetail
}

export const ApiKeyPage = ({ apiKey }: OfKey) => (
  <>
    <Header apiKey={apiKey} />
    <ApiKeySections apiKey={apiKey} />
  </>
)

/** The response to a change of the key on its page. */
export const ChangedApiKey = ({ apiKey }: OfKey) => (
  <>
    <ApiKeySections apiKey={apiKey} />
    <hx-partial hx-target="#api-key-header" hx-swap="outerMorph">
      <Header apiKey={apiKey} />
    </hx-partial>
  </>
)

const Header = ({ apiKey }: OfKey) => (
  <header class="page-header" id="api-key-header">
    <nav class="crumbs" aria-label="Breadcrumb">
      <a href="/settings/keys">API keys</a>
    </nav>
    <h1 class="wrap-anywhere" safe>
      {apiKey.name}
    </h1>
    <StatusMark {...statuses[apiKey.status]} />
    <div class="actions">
      {apiKey.can.rotate ? (
        <Button label="Rotate" icon="rotate-cw" commandfor={rotateDialog(apiKey)} command="show-modal" />
      ) : null}
      {apiKey.can.revoke ? (
        <RowMenu id="key-menu" label={`More about ${apiKey.name}`}>
          <MenuItem label="Revoke" icon="trash-2" danger commandfor={revokeDialog(apiKey)} command="show-modal" />
        </RowMenu>
      ) : null}
    </div>
  </header>
)

const statuses: Record<ApiKeyDetail['status'], StatusLook> = {
  active: { state: 'published', icon: 'circle-check', word: 'Active' },
  expiring: { state: 'waiting', icon: 'alarm-clock', word: 'Expires soon' },
  replaced: { state: 'waiting', icon: 'hourglass', word: 'Being replaced' },
  disabled: { state: 'failed', icon: 'circle-alert', word: 'Stopped: its owner left' },
  expired: { state: 'draft', icon: 'timer-off', word: 'Expired' },
  revoked: { state: 'draft', icon: 'circle-slash', word: 'Revoked' },
}

export const ApiKeySections = ({ apiKey }: OfKey) => (
  <div class="page split" id="api-key">
    <div class="stack" style="--gap: var(--space-8)">
      <Suggestion apiKey={apiKey} />
      <Scopes apiKey={apiKey} />
    </div>
    <aside class="stack" style="--gap: var(--space-6)">
      <Facts apiKey={apiKey} />
      <hr />
      <section class="section" aria-labelledby="acts-as">
        <h2 id="acts-as">Acts as</h2>
        <ActsAs apiKey={apiKey} />
        <p class="small muted">The key can do no more than its owner or agent.</p>
      </section>
    </aside>
    {apiKey.can.rotate ? <RotateDialog apiKey={apiKey} /> : null}
    {apiKey.can.revoke ? <RevokeDialog apiKey={apiKey} target="#api-key" /> : null}
  </div>
)

const Suggestion = ({ apiKey }: OfKey) => {
  const { suggestion, scopes, can } = apiKey
  if (!suggestion || hasEnded(apiKey) || apiKey.status === 'disabled') return <></>
  const { removable, unusedForDays, act } = suggestion
  return (
    <Notice
      title={act === 'revoke' ? 'Nothing uses this key' : 'This key can do more than it needs'}
      text={`${removable.length} of its ${scopes.length} scopes haven’t been used for ${unusedForDays} days: ${removable.join(', ')}.`}
    >
      {act === 'rotate' && can.rotate ? (
        <>
          <div class="actions">
            <Button
              label="Reduce scopes"
              variant="primary"
              size="sm"
              commandfor={reduceDialog(apiKey)}
              command="show-modal"
            />
          </div>
          <ReduceDialog apiKey={apiKey} removable={removable} />
        </>
      ) : null}
    </Notice>
  )
}

const Scopes = ({ apiKey }: OfKey) => (
  <section class="section" aria-labelledby="scopes">
    <h2 id="scopes">Scopes</h2>
    <div class="bleed">
      <table class="table" data-list data-lines="2">
        <caption class="visually-hidden">Scopes</caption>
        <thead>
          <tr>
            <th scope="col">What it can do</th>
            <th scope="col">Last used</th>
          </tr>
        </thead>
        <tbody>
          {apiKey.scopeUse.map(({ scope, description, lastUsedAt }) => (
            <tr>
              <td data-at="title">
                <span safe>{description || scope}</span>
                <small>
                  <code safe>{scope}</code>
                </small>
              </td>
              <td data-at="sub">
                {lastUsedAt ? <Time at={lastUsedAt} form="moment" /> : <span class="muted">Never</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </section>
)

const Facts = ({ apiKey }: OfKey) => (
  <section class="section" aria-labelledby="key">
    <h2 id="key">Key</h2>
    <dl class="facts">
      <dt>Ends in</dt>
      <dd>
        <code safe>{`…${apiKey.lastFour}`}</code>
      </dd>
      <dt>App</dt>
      <dd safe>{apiKey.serviceName}</dd>
      <dt>Brands</dt>
      <dd class="wrap-anywhere" safe>
        {capitalize(reachOf(apiKey))}
      </dd>
      <dt>Mode</dt>
      <dd>{apiKey.mode === 'test' ? 'Test' : 'Live'}</dd>
      <dt>Created</dt>
      <dd>
        <Time at={apiKey.createdAt} form="longDay" />
        {apiKey.createdByName ? <span safe>{` by ${apiKey.createdByName}`}</span> : null}
      </dd>
      <dt>Last used</dt>
      <dd>{apiKey.lastUsedAt ? <Time at={apiKey.lastUsedAt} form="moment" /> : 'Never'}</dd>
      <dt>Expires</dt>
      <dd>
        <Expiry apiKey={apiKey} />
      </dd>
    </dl>
  </section>
)
