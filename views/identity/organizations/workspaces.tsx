import type { Children } from '@kitajs/html'
import type { Organization, OrganizationDeletion } from '#identity/types'
import { Badge } from '#views/ui/badge.tsx'
import { Button } from '#views/ui/button.tsx'
import { Empty } from '#views/ui/empty.tsx'
import { TextField } from '#views/ui/field.tsx'
import { Form } from '#views/ui/form.tsx'
import { timeText } from '#views/ui/time.tsx'
import { roleName } from './roles.ts'

export interface WorkspacesProps {
  /** The id of the organization at hand; null for the personal context. */
  here: string | null
  organizations: Organization[]
  /** Of those that will be deleted. */
  deletions: (OrganizationDeletion & { mayCancel: boolean })[]
  /** False for super admins, who belong to their own organization alone. */
  canCreate: boolean
}

/** The person's workspaces, and the way to create one. */
export const Workspaces = (props: WorkspacesProps) => (
  <div class="page stack" style="--measure: 36rem; --gap: var(--space-8)">
    <section class="section" aria-labelledby="workspaces">
      <h2 id="workspaces">Organizations</h2>
      {props.organizations.length > 0 ? <List {...props} /> : <None />}
    </section>
    {props.canCreate ? <NewWorkspace /> : null}
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

const List = ({ here, organizations, deletions }: WorkspacesProps) => (
  <ul class="list">
    {organizations.map((organization) => {
      const deletion = deletions.find(({ organizationId }) => organizationId === organization.id)
      return deletion ? (
        <Leaving organization={organization} deletion={deletion} />
      ) : (
        <li>
          <About organization={organization} />
          {organization.id === here ? <Badge label="Current" tone="accent" /> : <Switch to={organization} />}
        </li>
      )
    })}
    <li>
      <span class="grow">
        Personal
        <small>Your personal account</small>
      </span>
      {here === null ? <Badge label="Current" tone="accent" /> : <Alone />}
    </li>
  </ul>
)

const About = ({ organization, children }: { organization: Organization; children?: Children }) => (
  <span class="grow">
    <span class="wrap-anywhere" safe>
      {organization.name}
    </span>
    <small safe>{roleName(organization.role)}</small>
    {children}
  </span>
)

interface LeavingProps {
  organization: Organization
  deletion: WorkspacesProps['deletions'][number]
}

const Leaving = ({ organization, deletion }: LeavingProps) => (
  <li>
    <About organization={organization}>
      <small safe>{`Will be deleted on ${timeText(deletion.deletesAt, 'UTC', 'longDay')}`}</small>
    </About>
    {deletion.mayCancel ? (
      <Form hx-delete={`/api/organizations/${organization.id}/deletion`}>
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

const Switch = ({ to }: { to: Organization }) => (
  <Form hx-post={route} hx-vals={JSON.stringify({ organizationId: to.id })}>
    <Button label="Switch" size="sm" type="submit" aria-label={`Switch to ${to.name}`} />
  </Form>
)

const Alone = () => (
  <Form hx-post={route} hx-vals={JSON.stringify({ context: 'personal' })}>
    <Button label="Switch" size="sm" type="submit" aria-label="Switch to Personal" />
  </Form>
)

const NewWorkspace = () => (
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
