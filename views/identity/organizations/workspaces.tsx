import type { Organization, OwnOrganization } from '#identity/types'
import { Button } from '#views/ui/button.tsx'
import { Form, TextField } from '#views/ui/form.tsx'
import { Pager } from '#views/ui/lists.tsx'
import { Avatar, Badge } from '#views/ui/marks.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { SettingName, SettingsSection } from '#views/ui/settings.tsx'
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

const creating = 'new-organization'

export const Workspaces = ({ canCreate, ...list }: WorkspacesProps) => (
  <div class="page settings">
    <SettingsSection
      id="organizations"
      title="Organizations"
      text="Where you work. Switching changes what the apps show you."
    >
      <div class="card">
        <OrganizationList {...list} />
        {canCreate ? (
          <footer>
            <Button label="New organization" icon="plus" size="sm" commandfor={creating} command="show-modal" />
          </footer>
        ) : null}
      </div>
      {canCreate ? <NewOrganizationDialog /> : null}
    </SettingsSection>
  </div>
)

export const organizationListPlace = 'organization-list'

export const organizationsPerPage = 100

export const OrganizationList = ({ organizations, nextCursor, isPersonal }: OrganizationListProps) => (
  <div id={organizationListPlace}>
    <ul class="list" aria-label="Your organizations">
      {organizations.length === 0 ? (
        <li class="muted">You don’t belong to an organization. Create one, or open the link in an invitation email.</li>
      ) : null}
      {organizations.map((organization) => (
        <OrganizationRow organization={organization} />
      ))}
      {nextCursor ? (
        <More cursor={encodeURIComponent(nextCursor)} shown={organizations.length} />
      ) : (
        <PersonalRow isCurrent={isPersonal} />
      )}
    </ul>
  </div>
)

/** Loading more replaces it by the next organizations, and their own. */
const More = ({ cursor, shown }: { cursor: string; shown: number }) => (
  <li class="more">
    <Pager
      label="More organizations"
      summary={`${shown} more loaded`}
      next={`/settings/workspaces?cursor=${cursor}`}
      hx-get={`/api/organizations?limit=${organizationsPerPage}&cursor=${cursor}`}
      hx-target="closest li"
      hx-select={`#${organizationListPlace} li`}
      hx-swap="outerHTML"
    />
  </li>
)

const OrganizationRow = ({ organization }: { organization: OwnOrganization }) => {
  const { id, name, role, logoUrl, deletion, current } = organization
  const until = deletion && `. Will be deleted on ${timeText(deletion.deletesAt, viewerZone(), 'longDay')}`
  return (
    <li id={`organization-${id}`}>
      <Avatar name={name} seed={id} image={logoUrl} size="lg" shape="square" />
      <SettingName name={name} detail={<span safe>{`${roleName(role)}${until ?? ''}`}</span>} />
      {deletion?.can.cancel ? (
        <CancelDeletion organization={organization} />
      ) : deletion ? (
        <Badge label="Locked" tone="danger" />
      ) : current ? (
        <Badge label="Current" tone="accent" />
      ) : (
        <SwitchTo name={name} context={{ organizationId: id }} />
      )}
    </li>
  )
}

const PersonalRow = ({ isCurrent }: { isCurrent: boolean }) => (
  <li id="organization-personal">
    <Avatar name="Personal" size="lg" />
    <SettingName name="Personal" detail="Only you" />
    {isCurrent ? (
      <Badge label="Current" tone="accent" />
    ) : (
      <SwitchTo name="Personal" context={{ context: 'personal' }} />
    )}
  </li>
)

const CancelDeletion = ({ organization: { id, name } }: { organization: Organization }) => (
  <Form hx-delete={`/api/organizations/${id}/deletion`} hx-target={`#${organizationListPlace}`} hx-swap="outerMorph">
    <Button label="Cancel deletion" size="sm" type="submit" aria-label={`Cancel deletion of ${name}`} />
  </Form>
)

const SwitchTo = ({ name, context }: { name: string; context: Record<string, string> }) => (
  <Form hx-post="/api/auth/context" hx-vals={JSON.stringify(context)}>
    <Button label="Switch" size="sm" type="submit" aria-label={`Switch to ${name}`} />
  </Form>
)

const NewOrganizationDialog = () => (
  <Dialog id={creating} title="New organization">
    <Form hx-post="/api/organizations">
      <div class="body">
        <TextField
          label="Name"
          name="name"
          id="organization-name-field"
          hint="You become its owner"
          autocomplete="organization"
          maxlength={100}
          required
          autofocus
        />
      </div>
      <DialogButtons dialog={creating} submit="Create organization" />
    </Form>
  </Dialog>
)
