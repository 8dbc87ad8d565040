import type { AdminAppDetail, AppAction } from '#identity/types'
import { Button } from '#views/ui/button.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { Field, Form } from '#views/ui/form.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { AppStatus } from '../app-status.tsx'
import { ReviewHistory } from '../review-history.tsx'

export interface AdminAppProps {
  app: AdminAppDetail
}

export const AdminAppView = ({ app }: AdminAppProps) => (
  <div class="page stack" style="--measure: 48rem">
    <AdminAppSections app={app} />
  </div>
)

export const AdminAppSections = ({ app }: AdminAppProps) => (
  <div id="admin-app" class="stack" style="--gap: var(--space-8)">
    <section class="section" aria-labelledby="app">
      <nav class="crumbs" aria-label="Breadcrumb">
        <a href="/admin/apps">Apps</a>
      </nav>
      <header>
        <h1 id="app" class="wrap-anywhere" safe>
          {app.name}
        </h1>
        {app.status === 'submitted' ? <Verdict app={app} /> : null}
      </header>
      {app.status === 'submitted' ? <RejectDialog app={app} /> : null}
      <Facts app={app} />
    </section>
    <AppActions actions={app.actions} />
    <ReviewHistory reviews={app.reviews} />
  </div>
)

const Facts = ({ app }: AdminAppProps) => (
  <dl class="facts">
    <dt>State</dt>
    <dd>
      <AppStatus status={app.status} />
    </dd>
    <dt>Organization</dt>
    <dd>
      <a class="wrap-anywhere" href={`/admin/organizations/${app.organization.id}`} safe>
        {app.organization.name}
      </a>
    </dd>
    <Fact label="Slug" values={[app.slug]} />
    <Fact label="Description" values={[app.description]} />
    <Fact label="URL" values={[app.webUrl]} />
    <Fact label="Redirect URIs" values={app.redirectUris} />
    <Fact label="Hand-off URI" values={app.handoffUri ? [app.handoffUri] : []} />
    <Fact
      label="Permissions"
      values={app.permissions.map(({ permission, description }) => `${permission} ${description}`)}
    />
    <Fact label="Requested scopes" values={app.scopes} />
  </dl>
)

const Fact = ({ label, values }: { label: string; values: string[] }) => (
  <>
    <dt safe>{label}</dt>
    <dd class="wrap-anywhere">
      {values.length === 0 ? <span class="muted">None</span> : null}
      {values.map((value) => (
        <div safe>{value}</div>
      ))}
    </dd>
  </>
)

const AppActions = ({ actions }: { actions: AppAction[] }) => (
  <section class="section" aria-labelledby="app-actions">
    <h2 id="app-actions">Actions</h2>
    {actions.length === 0 ? <p class="muted">No actions.</p> : null}
    <ul class="list">
      {actions.map((action) => (
        <li>
          <details class="grow">
            <summary class="row">
              <Icon name="chevron-right" />
              <span class="wrap-anywhere" safe>
                {`${action.name}: ${action.method} ${action.path} (${action.permission})`}
              </span>
            </summary>
            <p safe>{action.summary}</p>
            <pre class="mono small wrap-anywhere" tabindex="0" safe>
              {JSON.stringify(action.inputSchema, null, 2)}
            </pre>
          </details>
        </li>
      ))}
    </ul>
  </section>
)

const rejectDialog = 'reject'
const decides = ({ id }: AdminAppDetail) =>
  ({ 'hx-post': `/api/admin/apps/${id}/reviews`, 'hx-target': '#admin-app', 'hx-swap': 'outerMorph' }) as const

const Verdict = ({ app }: AdminAppProps) => (
  <div class="row">
    <Button label="Reject" variant="quiet-danger" commandfor={rejectDialog} command="show-modal" />
    <Form {...decides(app)}>
      <input type="hidden" name="decision" value="approved" />
      <Button label="Approve" icon="check" variant="primary" type="submit" />
    </Form>
  </div>
)

const RejectDialog = ({ app }: AdminAppProps) => (
  <Dialog id={rejectDialog} title={`Reject ${app.name}?`}>
    <Form {...decides(app)}>
      <input type="hidden" name="decision" value="rejected" />
      <div class="body">
        <Field label="Reason" id="reason" hint="The app’s developers will see it">
          <textarea
            class="input"
            id="reason"
            name="reason"
            rows="3"
            maxlength={1000}
            required
            aria-describedby="reason-hint reason-error"
          />
        </Field>
      </div>
      <DialogButtons dialog={rejectDialog} submit="Reject" danger />
    </Form>
  </Dialog>
)
