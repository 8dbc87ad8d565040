import type { DeveloperApp, RequestableScope } from '#identity/types'
import { Button } from '#views/ui/button.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { Form } from '#views/ui/form.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { Time, viewerZoneName } from '#views/ui/time.tsx'
import { AppFields } from './app-fields.tsx'

export interface AppOverviewProps {
  app: DeveloperApp
  requestable: RequestableScope[]
}

export const AppOverview = ({ app, requestable }: AppOverviewProps) => (
  <>
    <AppFacts app={app} />
    {app.status === 'submitted' ? (
      <Notice title="This app is under review" text="Withdraw the submission to edit it." />
    ) : (
      <Form hx-patch={`/api/developers/apps/${app.id}`} class="stack">
        <AppFields app={app} requestable={requestable} />
        <div class="row">
          <Button label="Save" variant="primary" type="submit" />
          {app.publishedAt ? null : <Delete />}
        </div>
      </Form>
    )}
    {app.publishedAt ? null : <DeleteDialog app={app} />}
  </>
)

export const AppFacts = ({ app }: Pick<AppOverviewProps, 'app'>) => (
  <dl class="facts">
    <dt>Slug</dt>
    <dd class="mono wrap-anywhere" safe>
      {app.slug}
    </dd>
    <dt safe>{`Published (${viewerZoneName()})`}</dt>
    <dd>{app.publishedAt ? <Time at={app.publishedAt} /> : 'Not yet'}</dd>
  </dl>
)

const dialog = 'delete-app'

const Delete = () => (
  <Button label="Delete app" icon="trash-2" variant="quiet-danger" commandfor={dialog} command="show-modal" />
)

const DeleteDialog = ({ app }: Pick<AppOverviewProps, 'app'>) => (
  <Dialog id={dialog} title={`Delete ${app.name}?`}>
    <Form hx-delete={`/api/developers/apps/${app.id}`}>
      <div class="body">
        <p>This also deletes its actions and reviews. Its API keys stay in your settings.</p>
      </div>
      <DialogButtons dialog={dialog} submit="Delete" danger focusCancel />
    </Form>
  </Dialog>
)
