import type { AdminOrganizationDetail, OrganizationService, SuspensionEntry } from '#identity/types'
import { Button } from '#views/ui/button.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { Field, Form } from '#views/ui/form.tsx'
import { Time } from '#views/ui/time.tsx'
import { OrganizationServices } from '../registry/organization-services.tsx'
import { OrganizationState } from './organizations.tsx'

export interface AdminOrganizationProps {
  organization: AdminOrganizationDetail
  services: OrganizationService[]
}

export const AdminOrganizationView = ({ organization, services }: AdminOrganizationProps) => (
  <div class="page stack" style="--measure: 48rem; --gap: var(--space-8)">
    <AdminOrganizationSection organization={organization} />
    <OrganizationServices id={organization.id} services={services} />
  </div>
)

const place = 'admin-organization'
const inPlace = { 'hx-target': `#${place}`, 'hx-swap': 'outerMorph' } as const

export const AdminOrganizationSection = ({ organization }: Props) => (
  <div id={place} class="stack" style="--gap: var(--space-8)">
    <section class="section" aria-labelledby="organization">
      <nav class="crumbs" aria-label="Breadcrumb">
        <a href="/admin/organizations">Organizations</a>
      </nav>
      <header>
        <h1 id="organization" class="wrap-anywhere" safe>
          {organization.name}
        </h1>
        {organization.can.suspend ? <StateButtons organization={organization} /> : null}
      </header>
      <Facts organization={organization} />
    </section>
    {organization.suspensions.length > 0 ? <History entries={organization.suspensions} /> : null}
  </div>
)

interface Props {
  organization: AdminOrganizationDetail
}

const Facts = ({ organization }: Props) => (
  <dl class="facts">
    <dt>State</dt>
    <dd>
      <OrganizationState state={organization.state} />
    </dd>
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
    <dt>Created</dt>
    <dd>
      <Time at={organization.createdAt} />
    </dd>
    <dt>Members</dt>
    <dd>{organization.members}</dd>
    <dt>Owners</dt>
    <dd class="wrap-anywhere" safe>
      {organization.owners.map(({ name, email }) => `${name} (${email})`).join(', ')}
    </dd>
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

const StateButtons = ({ organization }: Props) =>
  organization.state === 'deleting' ? (
    <>
      <Form hx-delete={`/api/admin/organizations/${organization.id}/deletion`} {...inPlace}>
        <Button label="Cancel deletion" icon="undo-2" type="submit" />
      </Form>
      <Button label="Suspend" icon="pause" variant="quiet-danger" commandfor={suspendDialog} command="show-modal" />
      <SuspendDialog organization={organization} />
    </>
  ) : organization.state === 'active' ? (
    <>
      <Button label="Suspend" icon="pause" variant="quiet-danger" commandfor={suspendDialog} command="show-modal" />
      <SuspendDialog organization={organization} />
    </>
  ) : (
    <>
      <Button label="Lift suspension" icon="undo-2" commandfor={liftDialog} command="show-modal" />
      <LiftDialog organization={organization} />
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

const History = ({ entries }: { entries: SuspensionEntry[] }) => (
  <section class="section" aria-labelledby="suspensions">
    <h2 id="suspensions">Suspensions and deletions</h2>
    <ul class="list">
      {entries.map((entry) => (
        <li>
          <span class="grow">
            <span class="wrap-anywhere" safe>
              {entry.reason}
            </span>
            <small>
              <Time at={entry.suspendedAt} /> <span safe>{`by ${entry.suspendedBy?.name ?? 'a deleted account'}`}</span>
            </small>
            {entry.liftedAt ? <Lifted at={entry.liftedAt} by={entry.liftedBy?.name} /> : null}
          </span>
        </li>
      ))}
    </ul>
  </section>
)

const Lifted = ({ at, by = 'a deleted account' }: { at: string; by?: string }) => (
  <small>
    Lifted <Time at={at} /> <span safe>{`by ${by}`}</span>
  </small>
)
