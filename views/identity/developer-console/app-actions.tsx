import type { Children } from '@kitajs/html'
import type { AppActionSummary, DeveloperApp } from '#identity/types'
import { ButtonLink } from '#views/ui/button.tsx'
import { Empty, Notice } from '#views/ui/feedback.tsx'
import { Icon } from '#views/ui/icon.tsx'

export interface AppActionsProps {
  app: DeveloperApp
  actions: AppActionSummary[]
  notice?: Children
}

export const AppActions = ({ app, actions, notice }: AppActionsProps) => (
  <div class="page stack" style="--gap: var(--space-5)">
    {notice}
    <div class="intro">
      <p>What programs and AI models can do in your app. Approved actions join the catalog when you publish the app.</p>
      {actions.length > 0 && canAdd(app) ? <NewAction app={app} /> : null}
    </div>
    {app.permissions.length > 0 ? null : (
      <Notice
        title="No permissions yet"
        text="Each action needs a permission. Add one on the Overview tab, for example “orders:read View orders”."
      />
    )}
    {actions.length > 0 ? <AppActionTable appId={app.id} actions={actions} /> : <None app={app} />}
  </div>
)

const canAdd = ({ status, permissions }: DeveloperApp): boolean => status !== 'submitted' && permissions.length > 0

const NewAction = ({ app }: Pick<AppActionsProps, 'app'>) => (
  <ButtonLink label="New action" icon="plus" href={`/developers/apps/${app.id}/new-action`} />
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
  <div class="bleed">
    <table class="table app-actions" data-list data-lines="2">
      <caption class="visually-hidden">Actions, sorted by name</caption>
      <thead>
        <tr>
          <th scope="col">Action</th>
          <th scope="col">Route</th>
          <th scope="col" class="c-permission">
            Permission
          </th>
          <th scope="col" class="c-state">
            State
          </th>
        </tr>
      </thead>
      <tbody>
        {actions.map((action) => (
          <tr>
            <td data-at="title">
              <a class="row-link" href={`/developers/apps/${appId}/actions/${action.id}`} safe>
                {action.name}
              </a>
              <small safe>{action.summary}</small>
            </td>
            <td data-at="sub">
              <Route {...action} />
              <small class="narrow-only">
                <code safe>{action.permission}</code>
              </small>
            </td>
            <td class="wide-only">
              <code safe>{action.permission}</code>
            </td>
            <td data-at="end">
              <ActionState action={action} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

/** A method and a path. */
const Route = ({ method, path }: Pick<AppActionSummary, 'method' | 'path'>) => (
  <span class="route">
    <b>{method}</b>
    <span safe>{path}</span>
  </span>
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
