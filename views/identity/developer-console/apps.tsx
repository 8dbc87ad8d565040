import type { DeveloperApp, DeveloperWorkspace } from '#identity/types'
import { Badge } from '#views/ui/badge.tsx'
import { ButtonLink, Button } from '#views/ui/button.tsx'
import { Empty } from '#views/ui/empty.tsx'
import { Form } from '#views/ui/form.tsx'
import { MoreRows } from '#views/ui/more-rows.tsx'
import { Notice } from '#views/ui/notice.tsx'
import { Time } from '#views/ui/time.tsx'
import { AppStatus } from './app-status.tsx'

export interface DeveloperAppsProps {
  workspace: DeveloperWorkspace
  apps: DeveloperApp[]
  nextCursor: string | null
  /** May make the organization a developer workspace. */
  isOwner: boolean
}

/** The developer workspace's apps, or how to get one. */
export const DeveloperApps = (props: DeveloperAppsProps) => (
  <>
    <header class="page-header">
      <h1>Developers</h1>
      {props.apps.length > 0 && props.workspace.status === 'active' ? (
        <div class="actions">
          <NewApp />
        </div>
      ) : null}
    </header>
    <div class="page stack" style="--measure: 60rem">
      <Ended workspace={props.workspace} />
      <Content {...props} />
    </div>
  </>
)

const NewApp = () => <ButtonLink label="New app" icon="plus" variant="primary" href="/developers/new" />

/** Says why a workspace may not work. */
export const Ended = ({ workspace: { status, reason } }: Pick<DeveloperAppsProps, 'workspace'>) =>
  status === 'revoked' ? (
    <Notice
      tone="danger"
      title="Developer access has ended"
      text={`${reason} Its API keys are revoked and its apps unpublished.`}
    />
  ) : (
    <></>
  )

const Content = (props: DeveloperAppsProps) => {
  const { workspace, apps } = props
  if (!workspace.developerWorkspace) return <Become {...props} />
  if (apps.length > 0) return <Table {...props} />
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

const Become = ({ workspace, isOwner }: DeveloperAppsProps) => (
  <Empty
    icon="layout-grid"
    title="Build apps for Atrium"
    text={
      isOwner
        ? `This turns on developer access for ${workspace.name}. Nothing else changes.`
        : `Ask an owner of ${workspace.name} to turn on developer access.`
    }
  >
    {isOwner ? (
      <Form hx-post={`/api/organizations/${workspace.id}/developer-workspace`}>
        <Button label="Start developing" variant="primary" type="submit" />
      </Form>
    ) : null}
  </Empty>
)

const Table = ({ apps, nextCursor }: DeveloperAppsProps) => (
  <div class="bleed">
    <table class="table" data-list>
      <caption class="visually-hidden">Apps, oldest first</caption>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">State</th>
          <th scope="col">Created (UTC)</th>
        </tr>
      </thead>
      <tbody>
        {apps.map((app) => (
          <Row app={app} />
        ))}
      </tbody>
      {nextCursor ? (
        <MoreRows
          label="More apps"
          summary={`${apps.length} shown`}
          next={`/developers?cursor=${encodeURIComponent(nextCursor)}`}
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
      <Time at={app.createdAt} zone="UTC" form="day" />
    </td>
  </tr>
)
