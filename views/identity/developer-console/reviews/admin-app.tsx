import type { AdminAppDetail, AppAction } from '#identity/types'
import { Button } from '#views/ui/button.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { Field, Form } from '#views/ui/form.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { Payload } from '#views/ui/payload.tsx'
import { PageHeader, PlainAppMark } from '#views/ui/page-header.tsx'
import { AppStatus } from '../app-status.tsx'
import { ReviewHistory } from '../review-history.tsx'

export interface AdminAppProps {
  app: AdminAppDetail
}

export const AdminAppView = ({ app }: AdminAppProps) => <AdminAppSections app={app} />

/** Replaced as a whole by a decision. */
export const AdminAppSections = ({ app }: AdminAppProps) => (
  <div id="admin-app">
    <PageHeader
      title={app.name}
      crumbs={[{ href: '/admin/apps', label: 'App reviews' }]}
      mark={<PlainAppMark />}
      status={<AppStatus status={app.status} />}
    >
      {app.status === 'submitted' ? <Verdict app={app} /> : null}
    </PageHeader>
    {app.status === 'submitted' ? <RejectDialog app={app} /> : null}
    <div class="page split">
      <div class="stack" style="--gap: var(--space-8)">
        <AppActions actions={app.actions} />
        <section class="section" aria-labelledby="declares">
          <h2 id="declares">Permissions and scopes</h2>
          <dl class="facts">
            <Fact
              label="Permissions"
              values={app.permissions.map(({ permission, description }) => `${permission} ${description}`)}
            />
            <Fact label="Requested scopes" values={app.scopes} />
          </dl>
        </section>
      </div>
      <aside class="stack" style="--gap: var(--space-6)">
        <section class="section" aria-labelledby="facts">
          <h2 id="facts">App</h2>
          <Facts app={app} />
        </section>
        <hr />
        <ReviewHistory reviews={app.reviews} />
      </aside>
    </div>
  </div>
)

const Facts = ({ app }: AdminAppProps) => (
  <dl class="facts">
    <dt>By</dt>
    <dd>
      <a class="link wrap-anywhere" href={`/admin/organizations/${app.organization.id}`} safe>
        {app.organization.name}
      </a>
    </dd>
    <Fact label="Slug" values={[app.slug]} />
    <Fact label="Description" values={[app.description]} />
    <Fact label="Address" values={[app.webUrl]} />
    <Fact label="Redirect URIs" values={app.redirectUris} />
    <Fact label="Hand-off URI" values={app.handoffUri ? [app.handoffUri] : []} />
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
    <header>
      <h2 id="app-actions">Actions</h2>
      <small class="muted">{actions.length}</small>
    </header>
    {actions.length === 0 ? <p class="muted">No actions.</p> : null}
    <div class="card">
      <ol class="letters">
        {actions.map((action) => (
          <li>
            <details class="letter">
              <summary>
                <Icon name="list-tree" />
                <span class="wrap-anywhere">
                  <b safe>{action.name}</b>
                  <small safe>{`${action.method} ${action.path}, needs ${action.permission}`}</small>
                </span>
                <Icon name="chevron-right" />
              </summary>
              <div>
                <p safe>{action.summary}</p>
                <Payload label={`Input of ${action.name}`} text={JSON.stringify(action.inputSchema, null, 2)} />
              </div>
            </details>
          </li>
        ))}
      </ol>
    </div>
  </section>
)

const rejectDialog = 'reject'
const decides = ({ id }: AdminAppDetail) =>
  ({ 'hx-post': `/api/admin/apps/${id}/reviews`, 'hx-target': '#admin-app', 'hx-swap': 'outerMorph' }) as const

const Verdict = ({ app }: AdminAppProps) => (
  <div class="actions">
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
