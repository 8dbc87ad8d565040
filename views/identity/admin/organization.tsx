import type { AdminOrganizationDetail, OrganizationService, SuspensionEntry } from '#identity/types'
import { Button } from '#views/ui/button.tsx'
import { Field, Form } from '#views/ui/form.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { Avatar } from '#views/ui/marks.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { Time } from '#views/ui/time.tsx'
import { PageHeader } from '#views/ui/page-header.tsx'
import { OrganizationServices } from '../registry/organization-services.tsx'
import { OrganizationState } from './organizations.tsx'

export interface AdminOrganizationProps {
  organization: AdminOrganizationDetail
  services: OrganizationService[]
}

const place = 'admin-organization'
const inPlace = { 'hx-target': `#${place}`, 'hx-swap': 'outerMorph' } as const

/** Replaced as a whole when the organization is suspended or restored. */
export const AdminOrganizationView = ({ organization, services }: AdminOrganizationProps) => (
  <div id={place}>
    <PageHeader
      title={organization.name}
      crumbs={[{ href: '/admin/organizations', label: 'Organizations' }]}
      mark={
        <Avatar name={organization.name} seed={organization.id} image={organization.logoUrl} shape="square" size="lg" />
      }
      status={<OrganizationState state={organization.state} />}
    >
      {organization.can.suspend ? <StateButtons organization={organization} /> : null}
    </PageHeader>
    <div class="page split">
      <OrganizationServices id={organization.id} services={services} />
      <AdminOrganizationFacts organization={organization} />
    </div>
  </div>
)

interface Props {
  organization: AdminOrganizationDetail
}

/** The facts, owners and suspensions of an organization. */
export const AdminOrganizationFacts = ({ organization }: Props) => (
  <aside class="stack" style="--gap: var(--space-6)">
    <section class="section" aria-labelledby="facts">
      <h2 id="facts">Organization</h2>
      <Facts organization={organization} />
    </section>
    <hr />
    <section class="section" aria-labelledby="owners">
      <h2 id="owners">Owners</h2>
      {organization.owners.map(({ id, name, email }) => (
        <div class="row">
          <Avatar name={name} seed={id} size="lg" />
          <span class="grow wrap-anywhere">
            <span safe>{name}</span>
            <small class="muted" safe>
              {email}
            </small>
          </span>
        </div>
      ))}
    </section>
    <hr />
    <History entries={organization.suspensions} />
  </aside>
)

const Facts = ({ organization }: Props) => (
  <dl class="facts">
    {organization.deletesAt ? (
      <>
        <dt>Will be deleted on</dt>
        <dd>
          <Time at={organization.deletesAt} form="longDay" />
        </dd>
      </>
    ) : null}
    <dt>Slug</dt>
    <dd class="mono wrap-anywhere" safe>
      {organization.slug}
    </dd>
    <dt>ID</dt>
    <dd class="mono wrap-anywhere" safe>
      {organization.id}
    </dd>
    <dt>Created</dt>
    <dd>
      <Time at={organization.createdAt} form="longDay" />
    </dd>
    <dt>Members</dt>
    <dd>{organization.members}</dd>
    {organization.brands === null ? null : (
      <>
        <dt>Brands</dt>
        <dd>{organization.brands}</dd>
      </>
    )}
    <dt>API keys</dt>
    <dd>{organization.apiKeys}</dd>
  </dl>
)

const suspendDialog = 'suspend'
const liftDialog = 'lift'

const StateButtons = ({ organization }: Props) => (
  <>
    <div class="actions">
      {organization.state === 'deleting' ? (
        <Form hx-delete={`/api/admin/organizations/${organization.id}/deletion`} {...inPlace}>
          <Button label="Cancel deletion" icon="undo-2" type="submit" />
        </Form>
      ) : null}
      {organization.state === 'suspended' ? (
        <Button label="Lift suspension" icon="undo-2" commandfor={liftDialog} command="show-modal" />
      ) : (
        <Button label="Suspend" icon="pause" commandfor={suspendDialog} command="show-modal" />
      )}
    </div>
    {organization.state === 'suspended' ? (
      <LiftDialog organization={organization} />
    ) : (
      <SuspendDialog organization={organization} />
    )}
  </>
)
const routeOf = ({ id }: AdminOrganizationDetail): string => `/api/admin/organizations/${id}/suspension`

const SuspendDialog = ({ organization }: Props) => (
  <Dialog id={suspendDialog} title={`Suspend ${organization.name}?`}>
    <Form hx-post={routeOf(organization)} {...inPlace}>
      <div class="body stack">
        <p>
          Members and API keys lose access immediately, and scheduled posts are paused. Nothing is deleted
          {organization.state === 'deleting' ? ', and the scheduled deletion is put on hold.' : '.'}
        </p>
        <Field label="Reason" id="reason" hint="Members will see it">
          <textarea
            class="input"
            id="reason"
            name="reason"
            rows="3"
            maxlength={500}
            required
            autofocus
            aria-describedby="reason-hint reason-error"
          />
        </Field>
      </div>
      <DialogButtons dialog={suspendDialog} submit="Suspend" danger />
    </Form>
  </Dialog>
)

const LiftDialog = ({ organization }: Props) => (
  <Dialog id={liftDialog} title={`Lift the suspension of ${organization.name}?`}>
    <Form hx-delete={routeOf(organization)} {...inPlace}>
      <div class="body">
        <p>Members and API keys regain access immediately. Posts that were due in the meantime are published.</p>
      </div>
      <DialogButtons dialog={liftDialog} submit="Lift suspension" focusCancel />
    </Form>
  </Dialog>
)

const gone = 'a deleted account'

/** Also deletions, which suspend an organization until they are final. */
const History = ({ entries }: { entries: SuspensionEntry[] }) => (
  <section class="section" aria-labelledby="suspensions">
    <h2 id="suspensions">Suspensions and deletions</h2>
    {entries.length === 0 ? <p class="muted">None so far.</p> : null}
    <ol class="timeline">
      {entries.map((entry) => (
        <>
          {entry.liftedAt ? (
            <li data-state="published">
              <span class="mark">
                <Icon name="undo-2" />
              </span>
              <div>
                <b class="wrap-anywhere" safe>{`Lifted by ${entry.liftedBy?.name ?? gone}`}</b>
                <Time at={entry.liftedAt} />
              </div>
            </li>
          ) : null}
          <li data-state="failed">
            <span class="mark">
              <Icon name="pause" />
            </span>
            <div>
              <b class="wrap-anywhere" safe>{`By ${entry.suspendedBy?.name ?? gone}`}</b>
              <small class="wrap-anywhere" safe>
                {entry.reason}
              </small>
              <Time at={entry.suspendedAt} />
            </div>
          </li>
        </>
      ))}
    </ol>
  </section>
)
