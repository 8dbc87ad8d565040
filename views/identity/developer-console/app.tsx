import type { DeveloperApp, DeveloperWorkspace } from '#identity/types'
import { AppActions, type AppActionsProps } from './app-actions.tsx'
import { AppKeys, type AppKeysProps } from './app-keys.tsx'
import { AppOverview, type AppOverviewProps } from './app-overview.tsx'
import { AppReviews, type AppReviewsProps } from './app-reviews.tsx'
import { AppStatus } from './app-status.tsx'
import { RevokedNotice } from './apps.tsx'
import { DevelopersCrumb } from './crumb.tsx'

interface SharedProps {
  app: DeveloperApp
  workspace: DeveloperWorkspace
}

export type DeveloperAppProps = SharedProps &
  (
    | ({ tab: 'overview' } & AppOverviewProps)
    | ({ tab: 'actions' } & AppActionsProps)
    | ({ tab: 'keys' } & AppKeysProps)
    | ({ tab: 'review' } & AppReviewsProps)
  )

const tabs = { overview: 'Overview', actions: 'Actions', keys: 'Keys', review: 'Review' } as const

export const DeveloperAppView = (props: DeveloperAppProps) => (
  <>
    <header class="page-header">
      <DevelopersCrumb />
      <h1 class="wrap-anywhere" safe>
        {props.app.name}
      </h1>
      <AppStatus status={props.app.status} />
    </header>
    <nav class="tabs" aria-label="The app">
      {Object.entries(tabs).map(([tab, label]) => (
        <a href={`/developers/apps/${props.app.id}?tab=${tab}`} aria-current={tab === props.tab ? 'page' : undefined}>
          {label}
        </a>
      ))}
    </nav>
    <div class="page stack" style="--measure: 48rem; --gap: var(--space-8)">
      <RevokedNotice workspace={props.workspace} />
      <Tab {...props} />
    </div>
  </>
)

const Tab = (props: DeveloperAppProps) => {
  if (props.tab === 'actions') return <AppActions {...props} />
  if (props.tab === 'keys') return <AppKeys {...props} />
  if (props.tab === 'review') return <AppReviews {...props} />
  return <AppOverview {...props} />
}
