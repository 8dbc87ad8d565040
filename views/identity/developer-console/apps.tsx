import type { DeveloperApp, DeveloperWorkspace, OwnDeveloperWorkspace } from '#identity/types'
import type { PageOf } from '#lib/paginate.ts'
import { Badge } from '#views/ui/marks.tsx'
import { ButtonLink, Button } from '#views/ui/button.tsx'
import { Empty, Notice } from '#views/ui/feedback.tsx'
import { Form } from '#views/ui/form.tsx'
import { MoreRows } from '#views/ui/lists.tsx'
import { Time, viewerZoneName } from '#views/ui/time.tsx'
import { AppStatus } from './app-status.tsx'

export interface DeveloperAppsProps {
  workspace: OwnDeveloperWorkspace
  list: PageOf<DeveloperApp>
}

export const DeveloperApps = (props: DeveloperAppsProps) => (
  <>
    <header class="page-header">
      <h1>Developers</h1>
      {props.list.items.length > 0 && props.workspace.status === 'active' ? (
        <div class="actions">
          <NewApp />
        </div>
      ) : null}
    </header>
    <div class="page stack" style="--measure: 60rem">
      <DeveloperAccess workspace={props.workspace} />
      <Content {...props} />
    </div>
  </>
)

const NewApp = () => <ButtonLink label="New app" icon="plus" variant="primary" href="/developers/new" />

export const RevokedNotice = ({ workspace: { status, reason } }: { workspace: DeveloperWorkspace }) =>
  status === 'revoked' ? (
    <Notice
      tone="danger"
      title="Developer access was revoked"
      text={`${reason} Its API keys are revoked and its apps unpublished.`}
    />
  ) : (
    <></>
  )

export const DeveloperAccess = ({ workspace }: Pick<DeveloperAppsProps, 'workspace'>) => {
  if (workspace.status === 'revoked') return <RevokedNotice workspace={workspace} />
  if (!workspace.developerWorkspace) return <EnableDeveloperAccess workspace={workspace} />
  return <p class="muted wrap-anywhere" safe>{`Apps of ${workspace.name}`}</p>
}

const Content = (props: DeveloperAppsProps) => {
  const { workspace, list } = props
  if (!workspace.developerWorkspace) return <></>
  if (list.items.length > 0) return <DeveloperAppTable list={list} />
  return (
    <Empty
      icon="layout-grid"
      title="Create your first app"
      text="Describe it, choose its scopes, define its actions, and submit it for review."
    >
      {workspace.status === 'active' ? <NewApp /> : null}
    </Empty>
  )
}

const EnableDeveloperAccess = ({ workspace }: Pick<DeveloperAppsProps, 'workspace'>) => (
  <Empty
    icon="layout-grid"
    title="Build apps for Atrium"
    text={
      workspace.can.enable
        ? `This turns on developer access for ${workspace.name}. Nothing else changes.`
        : `Ask an owner of ${workspace.name} to turn on developer access.`
    }
  >
    {workspace.can.enable ? (
      <Form hx-post={`/api/organizations/${workspace.id}/developer-workspace`}>
        <Button label="Turn on developer access" variant="primary" type="submit" />
      </Form>
    ) : null}
  </Empty>
)

export const DeveloperAppTable = ({ list: { items, nextCursor } }: Pick<DeveloperAppsProps, 'list'>) => (
  <div class="bleed">
    <table class="table" data-list>
      <caption class="visually-hidden">Apps, oldest first</caption>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">State</th>
          <th scope="col" safe>{`Created (${viewerZoneName()})`}</th>
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
          columns={3}
        />
      ) : null}
    </table>
  </div>
)

const Row = ({ app }: { app: DeveloperApp }) => (
  <tr>
    <td data-at="title">
      <span class="row">
        <span class="grow">
          <a class="row-link wrap-anywhere" href={`/developers/apps/${app.id}`} safe>
            {app.name}
          </a>
          {app.publishedAt && app.status !== 'published' ? (
            <>
              {' '}
              <Badge label="An earlier version is live" />
            </>
          ) : null}
          <small class="wrap-anywhere" safe>
            {app.slug}
          </small>
        </span>
      </span>
    </td>
    <td data-at="end">
      <AppStatus status={app.status} />
    </td>
    <td class="wide-only">
      <Time at={app.createdAt} form="day" />
    </td>
  </tr>
)
