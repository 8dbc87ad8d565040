import type { AppActionSummary, DeveloperApp } from '#identity/types'
import { ButtonLink } from '#views/ui/button.tsx'
import { Empty, Notice } from '#views/ui/feedback.tsx'
import { Icon } from '#views/ui/icon.tsx'

export interface AppActionsProps {
  app: DeveloperApp
  actions: AppActionSummary[]
}

export const AppActions = ({ app, actions }: AppActionsProps) => (
  <section class="section" aria-labelledby="actions">
    <header>
      <h2 id="actions">Actions</h2>
      {actions.length > 0 && canAdd(app) ? <NewAction app={app} /> : null}
    </header>
    <p class="muted prose">
      Actions are reviewed with the app. Publishing the app adds approved actions to the catalog.
    </p>
    {app.permissions.length > 0 ? null : (
      <Notice
        title="No permissions yet"
        text="Each action needs a permission. Add one in the overview, such as orders:read View orders."
      />
    )}
    {actions.length > 0 ? <AppActionTable appId={app.id} actions={actions} /> : <None app={app} />}
  </section>
)

const canAdd = ({ status, permissions }: DeveloperApp): boolean => status !== 'submitted' && permissions.length > 0

const NewAction = ({ app }: Pick<AppActionsProps, 'app'>) => (
  <ButtonLink label="New action" icon="plus" variant="primary" href={`/developers/apps/${app.id}/new-action`} />
)

const None = ({ app }: Pick<AppActionsProps, 'app'>) => (
  <Empty
    icon="list-tree"
    title="No actions yet"
    text="An action is a request that programs and AI models can send, with the permission it requires."
    small
  >
    {canAdd(app) ? <NewAction app={app} /> : null}
  </Empty>
)

interface AppActionTableProps {
  appId: string
  actions: AppActionSummary[]
}

export const AppActionTable = ({ appId, actions }: AppActionTableProps) => (
  <table class="table" data-list>
    <caption class="visually-hidden">Actions by name</caption>
    <thead>
      <tr>
        <th scope="col">Name</th>
        <th scope="col">Permission</th>
        <th scope="col">State</th>
      </tr>
    </thead>
    <tbody>
      {actions.map((action) => (
        <tr>
          <td data-at="title">
            <a class="row-link wrap-anywhere" href={`/developers/apps/${appId}/actions/${action.id}`} safe>
              {action.name}
            </a>
            <small class="mono wrap-anywhere" safe>
              {` ${action.method} ${action.path}`}
            </small>
          </td>
          <td data-at="sub">
            <code safe>{action.permission}</code>
          </td>
          <td data-at="end">
            <ActionState action={action} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)

export const ActionState = ({ action: { status, version } }: { action: AppActionSummary }) =>
  status === 'approved' ? (
    <span class="status" data-state="published">
      <Icon name="circle-check" />
      <span safe>{`Approved, version ${version}`}</span>
    </span>
  ) : (
    <span class="status" data-state="draft">
      <Icon name="circle-dashed" />
      <span safe>{`Draft of version ${version}`}</span>
    </span>
  )
