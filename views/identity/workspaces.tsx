import type { Children } from '@kitajs/html'
import type { Organization, OrganizationDeletion } from '#identity'
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
  mayMake: boolean
}

/** The person's workspaces, and the way to create one. */
export const Workspaces = (props: WorkspacesProps) => (
  <div class="page stack" style="--measure: 36rem; --gap: var(--space-8)">
    <section class="section" aria-labelledby="workspaces">
      <h2 id="workspaces">Workspaces</h2>
      {props.organizations.length > 0 ? <List {...props} /> : <None />}
    </section>
    {props.mayMake ? <NewWorkspace /> : null}
  </div>
)

const None = () => (
  <Empty
    icon="building-2"
    small
    title="You belong to no workspace"
    text="Make one below, or follow the link of an invitation."
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
          {organization.id === here ? <Badge label="You work here" tone="accent" /> : <Switch to={organization} />}
        </li>
      )
    })}
    <li>
      <span class="grow">
        Personal
        <small>What is yours alone</small>
      </span>
      {here === null ? <Badge label="You work here" tone="accent" /> : <Alone />}
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
    <Button label="Work here" size="sm" type="submit" aria-label={`Work here, in ${to.name}`} />
  </Form>
)

const Alone = () => (
  <Form hx-post={route} hx-vals={JSON.stringify({ context: 'personal' })}>
    <Button label="Work here" size="sm" type="submit" aria-label="Work here, in Personal" />
  </Form>
)

const NewWorkspace = () => (
  <section class="section" aria-labelledby="new-workspace">
    <h2 id="new-workspace">A workspace of your own</h2>
    <Form class="stack" hx-post="/api/organizations">
      <TextField label="Name" name="name" autocomplete="organization" maxlength={100} required />
      <div class="actions">
        <Button label="Make a workspace" variant="primary" type="submit" />
      </div>
    </Form>
  </section>
)
