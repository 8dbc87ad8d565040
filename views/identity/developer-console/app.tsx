import type { DeveloperApp, DeveloperOrganization } from '#identity/types'
import { Button } from '#views/ui/button.tsx'
import { Form } from '#views/ui/form.tsx'
import { Badge } from '#views/ui/marks.tsx'
import { Dialog, DialogButtons, MenuItem, MenuLink, RowMenu } from '#views/ui/overlays.tsx'
import { PageHeader, PlainAppMark } from '#views/ui/page-header.tsx'
import { AppActions, type AppActionsProps } from './app-actions.tsx'
import { AppKeys, type AppKeysProps } from './app-keys.tsx'
import { AppOverview, type AppOverviewProps } from './app-overview.tsx'
import { AppReviews, type AppReviewsProps } from './app-reviews.tsx'
import { AppStatus } from './app-status.tsx'
import { RevokedNotice } from './apps.tsx'
import { appsCrumb, inPlace } from './app-place.ts'

interface SharedProps {
  app: DeveloperApp
  organization: DeveloperOrganization
}

/** What one of the tabs shows. */
export type DeveloperAppProps = SharedProps &
  (
    | ({ tab: 'overview' } & AppOverviewProps)
    | ({ tab: 'actions' } & AppActionsProps)
    | ({ tab: 'keys' } & AppKeysProps)
    | ({ tab: 'review' } & AppReviewsProps)
  )

/** Replaced as a whole by changes of the app, which can change its name and state. */
export const DeveloperAppView = (props: DeveloperAppProps) => (
  <div id="developer-app">
    <Header {...props} />
    <Tabs {...props} />
    <Tab {...props} />
  </div>
)

const deleteDialog = 'delete-app'
const unpublishDialog = 'unpublish-app'

const Header = ({ app, organization }: SharedProps) => (
  <PageHeader title={app.name} crumbs={[appsCrumb]} mark={<PlainAppMark />} status={<AppStatus status={app.status} />}>
    {organization.status === 'active' ? (
      <div class="actions">
        <NextStep app={app} />
        <RowMenu id="app-menu" label={`More for ${app.name}`}>
          <MenuLink label="Open the app" icon="arrow-up-right" href={app.webUrl} />
          {app.publishedAt ? (
            <MenuItem label="Unpublish" icon="undo-2" commandfor={unpublishDialog} command="show-modal" />
          ) : null}
          {app.publishedAt || app.status === 'submitted' ? null : (
            <MenuItem label="Delete app" icon="trash-2" danger commandfor={deleteDialog} command="show-modal" />
          )}
        </RowMenu>
      </div>
    ) : null}
    {app.publishedAt ? <UnpublishDialog app={app} /> : <DeleteDialog app={app} />}
  </PageHeader>
)

type OfApp = Pick<SharedProps, 'app'>

const NextStep = ({ app }: OfApp) => {
  const at = `/api/developers/apps/${app.id}`
  if (app.status === 'submitted')
    return (
      <Form hx-delete={`${at}/submission`} {...inPlace}>
        <Button id="app-step" label="Withdraw" icon="undo-2" type="submit" />
      </Form>
    )
  if (app.status === 'approved')
    return (
      <Form hx-post={`${at}/publication`} {...inPlace}>
        <Button id="app-step" label="Publish" icon="upload" variant="primary" type="submit" />
      </Form>
    )
  if (app.status === 'published') return <></>
  return (
    <Form hx-post={`${at}/submission`} {...inPlace}>
      <Button
        id="app-step"
        label={app.status === 'rejected' ? 'Submit again' : 'Submit for review'}
        icon="send"
        variant="primary"
        type="submit"
      />
    </Form>
  )
}

const UnpublishDialog = ({ app }: OfApp) => (
  <Dialog id={unpublishDialog} title={`Unpublish ${app.name}?`}>
    <Form hx-delete={`/api/developers/apps/${app.id}/publication`} {...inPlace}>
      <div class="body">
        <p>People can no longer open it, and its actions leave the catalog immediately. You can publish it again.</p>
      </div>
      <DialogButtons dialog={unpublishDialog} submit="Unpublish" danger focusCancel />
    </Form>
  </Dialog>
)

const DeleteDialog = ({ app }: OfApp) => (
  <Dialog id={deleteDialog} title={`Delete ${app.name}?`}>
    <Form hx-delete={`/api/developers/apps/${app.id}`}>
      <div class="body">
        <p>This also deletes its actions and reviews. Its API keys stay in your settings.</p>
      </div>
      <DialogButtons dialog={deleteDialog} submit="Delete" danger focusCancel />
    </Form>
  </Dialog>
)

const Tabs = ({ app: { id, counts }, tab: current }: DeveloperAppProps) => {
  const tabs = [
    { tab: 'overview', label: 'Overview' },
    { tab: 'actions', label: 'Actions', count: counts.actions },
    { tab: 'keys', label: 'Keys', count: counts.keys },
    { tab: 'review', label: 'Review' },
  ]
  return (
    <nav class="tabs" aria-label="App">
      {tabs.map(({ tab, label, count }) => (
        <a href={`/developers/apps/${id}?tab=${tab}`} aria-current={tab === current ? 'page' : undefined}>
          <span safe>{label}</span>
          {count ? <Badge label={count} count /> : null}
        </a>
      ))}
    </nav>
  )
}

const Tab = (props: DeveloperAppProps) => {
  const notice = <RevokedNotice organization={props.organization} />
  if (props.tab === 'actions') return <AppActions {...props} notice={notice} />
  if (props.tab === 'keys') return <AppKeys {...props} notice={notice} />
  if (props.tab === 'review') return <AppReviews {...props} notice={notice} />
  return <AppOverview {...props} notice={notice} />
}
