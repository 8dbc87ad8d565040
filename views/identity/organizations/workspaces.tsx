import type { Children } from '@kitajs/html'
import type { Organization, OwnOrganization } from '#identity/types'
import { Badge } from '#views/ui/marks.tsx'
import { Button } from '#views/ui/button.tsx'
import { Empty } from '#views/ui/feedback.tsx'
import { TextField, Form } from '#views/ui/form.tsx'
import { Pager } from '#views/ui/lists.tsx'
import { timeText, viewerZone } from '#views/ui/time.tsx'
import { roleName } from './roles.ts'

interface OrganizationListProps {
  organizations: OwnOrganization[]
  nextCursor: string | null
  isPersonal: boolean
}

export interface WorkspacesProps extends OrganizationListProps {
  /** False for super admins, who belong only to their own organization. */
  canCreate: boolean
}

export const Workspaces = ({ canCreate, ...list }: WorkspacesProps) => (
  <div class="page stack" style="--measure: 36rem; --gap: var(--space-8)">
    <section class="section" aria-labelledby="workspaces">
      <h2 id="workspaces">Organizations</h2>
      <OrganizationList {...list} />
    </section>
    {canCreate ? <NewOrganization /> : null}
  </div>
)

export const organizationListPlace = 'organization-list'

export const organizationsPerPage = 100

export const OrganizationList = (props: OrganizationListProps) => (
  <div class="stack" id={organizationListPlace}>
    {props.organizations.length > 0 ? <List {...props} /> : <None />}
  </div>
)

const None = () => (
  <Empty
    icon="building-2"
    small
    title="You don’t belong to an organization"
    text="Create an organization below, or open the link in an invitation email."
  />
)

const List = ({ organizations, nextCursor, isPersonal }: OrganizationListProps) => (
  <>
    <ul class="list">
      {organizations.map((organization) =>
        organization.deletion ? (
          <ScheduledForDeletion organization={organization} deletion={organization.deletion} />
        ) : (
          <li id={`organization-${organization.id}`}>
            <Description organization={organization} />
            {organization.current ? <Badge label="Current" tone="accent" /> : <SwitchTo organization={organization} />}
          </li>
        ),
      )}
      <li>
        <span class="grow">
          Personal
          <small>Your personal account</small>
        </span>
        {isPersonal ? <Badge label="Current" tone="accent" /> : <SwitchToPersonal />}
      </li>
    </ul>
    {nextCursor ? (
      <Pager
        label="More organizations"
        summary={`${organizations.length} shown`}
        next={`/settings/workspaces?cursor=${encodeURIComponent(nextCursor)}`}
      />
    ) : null}
  </>
)

const Description = ({ organization, children }: { organization: Organization; children?: Children }) => (
  <span class="grow">
    <span class="wrap-anywhere" safe>
      {organization.name}
    </span>
    <small safe>{roleName(organization.role)}</small>
    {children}
  </span>
)

interface ScheduledForDeletionProps {
  organization: OwnOrganization
  deletion: NonNullable<OwnOrganization['deletion']>
}

const ScheduledForDeletion = ({ organization, deletion }: ScheduledForDeletionProps) => (
  <li id={`organization-${organization.id}`}>
    <Description organization={organization}>
      <small safe>{`Will be deleted on ${timeText(deletion.deletesAt, viewerZone(), 'longDay')}`}</small>
    </Description>
    {deletion.can.cancel ? (
      <Form
        hx-delete={`/api/organizations/${organization.id}/deletion`}
        hx-target={`#${organizationListPlace}`}
        hx-swap="outerMorph"
      >
        <Button
          label="Cancel deletion"
          size="sm"
          type="submit"
          aria-label={`Cancel deletion of ${organization.name}`}
        />
      </Form>
    ) : (
      <Badge label="Locked" tone="danger" />
    )}
  </li>
)

const route = '/api/auth/context'

const SwitchTo = ({ organization }: { organization: Organization }) => (
  <Form hx-post={route} hx-vals={JSON.stringify({ organizationId: organization.id })}>
    <Button label="Switch" size="sm" type="submit" aria-label={`Switch to ${organization.name}`} />
  </Form>
)

const SwitchToPersonal = () => (
  <Form hx-post={route} hx-vals={JSON.stringify({ context: 'personal' })}>
    <Button label="Switch" size="sm" type="submit" aria-label="Switch to Personal" />
  </Form>
)

const NewOrganization = () => (
  <section class="section" aria-labelledby="new-workspace">
    <h2 id="new-workspace">New organization</h2>
    <Form class="stack" hx-post="/api/organizations">
      <TextField label="Name" name="name" autocomplete="organization" maxlength={100} required />
      <div class="actions">
        <Button label="Create organization" variant="primary" type="submit" />
      </div>
    </Form>
  </section>
)
