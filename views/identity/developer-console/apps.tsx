import type { DeveloperApp, DeveloperOrganization, OwnDeveloperOrganization } from '#identity/types'
import type { PageOf } from '#lib/paginate.ts'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { Button } from '#views/ui/button.tsx'
import { Empty, Notice } from '#views/ui/feedback.tsx'
import { Form } from '#views/ui/form.tsx'
import { counted } from '#lib/text.ts'
import { MoreRows } from '#views/ui/lists.tsx'
import { Time } from '#views/ui/time.tsx'
import { PlainAppMark } from '#views/ui/page-header.tsx'
import { AboutFields } from './app-fields.tsx'
import { AppStatus } from './app-status.tsx'

export interface DeveloperAppsProps {
  organization: OwnDeveloperOrganization
  list: PageOf<DeveloperApp>
}

const newDialog = 'new-app'

/** Replaced as a whole when developer access is turned on. */
export const DeveloperApps = (props: DeveloperAppsProps) => (
  <div id="developer-apps">
    <header class="page-header">
      <h1>Apps</h1>
      {props.list.items.length > 0 && props.organization.status === 'active' ? (
        <div class="actions">
          <NewAppButton />
        </div>
      ) : null}
    </header>
    <div class="page stack" style="--gap: var(--space-5)">
      <DeveloperAccess organization={props.organization} />
      <Content {...props} />
    </div>
    <Dialog id={newDialog} title="New app">
      <Form hx-post="/api/developers/apps">
        <div class="body">
          <AboutFields />
        </div>
        <DialogButtons dialog={newDialog} submit="Create app" />
      </Form>
    </Dialog>
  </div>
)

const NewAppButton = () => (
  <Button label="New app" icon="plus" variant="primary" commandfor={newDialog} command="show-modal" />
)

export const RevokedNotice = ({ organization: { status, reason } }: { organization: DeveloperOrganization }) =>
  status === 'revoked' ? (
    <Notice
      tone="danger"
      title="Developer access was revoked"
      text={`${reason} The organization’s API keys were revoked and its apps unpublished.`}
    />
  ) : (
    <></>
  )

export const DeveloperAccess = ({ organization }: Pick<DeveloperAppsProps, 'organization'>) => {
  if (organization.status === 'revoked') return <RevokedNotice organization={organization} />
  if (!organization.developerWorkspace) return <EnableDeveloperAccess organization={organization} />
  return <p class="muted wrap-anywhere" safe>{`Apps of ${organization.name}`}</p>
}

const Content = (props: DeveloperAppsProps) => {
  const { organization, list } = props
  if (!organization.developerWorkspace) return <></>
  if (list.items.length > 0) return <DeveloperAppTable list={list} />
  return (
    <Empty
      icon="layout-grid"
      title="Create your first app"
      text="Describe it, choose its scopes, define its actions, and submit it for review."
    >
      {organization.status === 'active' ? <NewAppButton /> : null}
    </Empty>
  )
}

const EnableDeveloperAccess = ({ organization }: Pick<DeveloperAppsProps, 'organization'>) => (
  <Empty
    icon="layout-grid"
    title="Build apps for Atrium"
    text={
      organization.can.enable
        ? `This turns on developer access for ${organization.name}. Nothing else changes.`
        : `Ask an owner of ${organization.name} to turn on developer access.`
    }
  >
    {organization.can.enable ? (
      <Form
        hx-post={`/api/organizations/${organization.id}/developer-access`}
        hx-target="#developer-apps"
        hx-swap="outerMorph"
      >
        <Button label="Turn on developer access" variant="primary" type="submit" />
      </Form>
    ) : null}
  </Empty>
)

export const DeveloperAppTable = ({ list: { items, nextCursor } }: Pick<DeveloperAppsProps, 'list'>) => (
  <div class="bleed">
    <table class="table developer-apps" data-list data-lines="2">
      <caption class="visually-hidden">Apps, oldest first</caption>
      <thead>
        <tr>
          <th scope="col" class="c-lead">
            <span class="visually-hidden">Icon</span>
          </th>
          <th scope="col">App</th>
          <th scope="col" class="c-state">
            State
          </th>
          <th scope="col" class="c-num" data-num>
            Actions
          </th>
          <th scope="col" class="c-num" data-num>
            Keys
          </th>
          <th scope="col" class="c-num" data-num>
            Organizations
          </th>
          <th scope="col" class="c-made">
            Created
          </th>
        </tr>
      </thead>
      <tbody>
        {items.map((app) => (
          <Row app={app} />
        ))}
      </tbody>
      {nextCursor ? (
        <MoreRows
          label="More apps"
          summary={`${items.length} shown`}
          next={`/developers?cursor=${encodeURIComponent(nextCursor)}`}
          from={`/api/developers/apps?cursor=${encodeURIComponent(nextCursor)}`}
          columns={7}
        />
      ) : null}
    </table>
  </div>
)

const Row = ({ app }: { app: DeveloperApp }) => (
  <tr>
    <td data-at="lead">
      <PlainAppMark />
    </td>
    <td data-at="title">
      <a class="row-link" href={`/developers/apps/${app.id}`} safe>
        {app.name}
      </a>
      <small class="mono wrap-anywhere" safe>
        {app.slug}
      </small>
    </td>
    <td data-at="sub">
      <AppStatus status={app.status} />
      {app.publishedAt && app.status !== 'published' ? <small>An earlier version is live</small> : null}
      <small class="narrow-only" safe>
        {`${counted(app.counts.actions, 'action')}, ${counted(app.counts.organizations, 'organization')}`}
      </small>
    </td>
    <td class="wide-only" data-num>
      {app.counts.actions}
    </td>
    <td class="wide-only" data-num>
      {app.counts.keys}
    </td>
    <td class="wide-only" data-num>
      {app.counts.organizations}
    </td>
    <td class="wide-only muted">
      <Time at={app.createdAt} form="shortDay" />
    </td>
  </tr>
)
