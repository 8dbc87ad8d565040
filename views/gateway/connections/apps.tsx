import type { Credential, NetworkApp, NetworkAppList } from '#gateway/types'
import { Button } from '#views/ui/button.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { Badge, StatusMark } from '#views/ui/marks.tsx'
import { MenuItem, RowMenu } from '#views/ui/overlays.tsx'
import { Time } from '#views/ui/time.tsx'
import { addAppDialog } from '../credentials/add-dialogs.tsx'
import { RotateDialog, rotateDialog, urlOf } from '../credentials/dialogs.tsx'
import { actions, DataTable } from '#views/ui/data-table.tsx'
import { NetworkName } from './network-name.tsx'
import { withoutClient } from './words.ts'

export const networkAppsPlace = 'network-apps'
/** The region that every change of an app replaces. */
export const changesApps = { 'hx-target': `#${networkAppsPlace}`, 'hx-swap': 'outerMorph' } as const

/** How this installation identifies itself to each network. */
export const NetworkApps = ({ list: { items, can } }: { list: NetworkAppList }) => {
  const missing = items.filter(({ state }) => state === 'missing')
  return (
    <div id={networkAppsPlace} class="stack" style="--gap: var(--space-8)">
      {missing.length > 0 ? <Missing names={missing.map(({ name }) => name)} canUpdate={can.update} /> : null}
      <section class="section" aria-labelledby="app-credentials">
        <header>
          <h2 id="app-credentials">App credentials</h2>
          <small class="below">How this installation identifies itself to each network</small>
        </header>
        <div class="bleed">
          <DataTable
            name="inventory"
            caption="App credentials of the social networks"
            columns={['Network', 'Environment', 'Client ID', 'Health', 'Secret rotated', actions]}
          >
            <tbody>
              {items.map((app) => (
                <AppRow app={app} />
              ))}
            </tbody>
          </DataTable>
        </div>
      </section>
      {items.map((app) => {
        const credential = credentialOf(app)
        return credential && app.can.update ? <RotateDialog credential={credential} changes={changesApps} /> : <></>
      })}
    </div>
  )
}

const list = new Intl.ListFormat('en')

const Missing = ({ names, canUpdate }: { names: string[]; canUpdate: boolean }) => (
  <Notice
    tone="warning"
    title={`${list.format(names)} ${names.length === 1 ? 'isn’t' : 'aren’t'} set up`}
    text={`Until ${names.length === 1 ? 'it has' : 'they have'} an OAuth client, people see “Setup required” on the Accounts page.${canUpdate ? '' : ' Someone who manages provider credentials can add it.'}`}
  >
    {canUpdate ? (
      <div class="actions">
        <Button label="Add client" variant="primary" size="sm" commandfor={addAppDialog} command="show-modal" />
      </div>
    ) : null}
  </Notice>
)

/** Of a network with a stored credential. */
const credentialOf = ({ provider, mode, level, label, lastFour, can }: NetworkApp) =>
  level !== null && label !== null && lastFour !== null
    ? ({
        provider,
        mode,
        level,
        label,
        lastFour,
        kind: 'oauth_client',
        family: 'social',
        isCheckable: can.check,
      } satisfies Partial<Credential>)
    : null

const AppRow = ({ app }: { app: NetworkApp }) => {
  const { provider, name, mode, rotatedAt, level } = app
  return (
    <tr>
      <td data-at="title">
        <NetworkName provider={provider} name={name} />
        {level === 'platform' ? <small>Platform default</small> : null}
      </td>
      <td data-at="end">{mode === 'live' ? 'Production' : <Badge label="Sandbox" tone="info" />}</td>
      <td class="wide-only">
        <Client app={app} />
      </td>
      <td data-at="sub">
        <AppHealth app={app} />
      </td>
      <td data-at="time" class="wide-only muted nowrap">
        {rotatedAt ? <Time at={rotatedAt} form="shortDay" /> : ''}
      </td>
      <td data-at="menu">
        <AppMenu app={app} />
      </td>
    </tr>
  )
}

const Client = ({ app: { credential, lastFour } }: { app: NetworkApp }) => {
  if (credential !== 'oauth_client')
    return (
      <span class="muted" safe>
        {withoutClient[credential]}
      </span>
    )
  return lastFour === null ? (
    <></>
  ) : (
    <span class="key-code">
      <span class="visually-hidden">Ends in </span>
      <span aria-hidden="true">····</span>
      <span safe>{lastFour}</span>
    </span>
  )
}

const AppHealth = ({ app }: { app: NetworkApp }) => {
  const { state, health, lastError, checkedAt, servers, credential } = app
  if (state === 'missing') return <StatusMark state="waiting" icon="triangle-alert" word="Not set up" />
  const needsNoCheck = credential !== 'oauth_client' && credential !== 'registered'
  if (needsNoCheck || (credential === 'registered' && servers === 0))
    return <StatusMark state="published" icon="circle-check" word="Ready" />
  return (
    <>
      {health === 'healthy' ? (
        <StatusMark state="published" icon="circle-check" word="Healthy" />
      ) : health === 'unhealthy' ? (
        <StatusMark state="failed" icon="circle-alert" word="Failing" />
      ) : (
        <StatusMark state="draft" icon="circle-dashed" word="Not checked" />
      )}
      <small class="why wrap-anywhere">
        {servers ? `${servers} ${servers === 1 ? 'server' : 'servers'}. ` : ''}
        {lastError ? <span safe>{`${lastError} `}</span> : null}
        {checkedAt ? (
          <>
            Checked <Time at={checkedAt} form="moment" />
          </>
        ) : null}
      </small>
    </>
  )
}

const AppMenu = ({ app }: { app: NetworkApp }) => {
  const { provider, mode, name, redirectUri, can, state } = app
  const credential = credentialOf(app)
  if (redirectUri === null && !can.check) return <></>
  const check = credential ? urlOf(credential, '/check') : `/api/connections/apps/${provider}/check`
  return (
    <RowMenu id={`app-menu-${provider}-${mode}`} label={`Actions for ${name}`}>
      {can.check ? <MenuItem label="Check now" icon="rotate-cw" hx-post={check} {...changesApps} /> : null}
      {can.update && credential ? (
        <MenuItem
          label="Rotate the secret"
          icon="key-round"
          commandfor={rotateDialog(credential)}
          command="show-modal"
        />
      ) : null}
      {can.update && state === 'missing' ? (
        <MenuItem label="Add client" icon="plus" commandfor={addAppDialog} command="show-modal" />
      ) : null}
      {redirectUri === null ? null : (
        <copy-text>
          <output class="visually-hidden" safe>
            {redirectUri}
          </output>
          <MenuItem label="Copy redirect URI" icon="copy" data-copy />
          <span class="muted small" role="status" />
        </copy-text>
      )}
    </RowMenu>
  )
}
