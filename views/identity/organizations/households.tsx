import type { Household, HouseholdInvitation } from '#identity/types'
import { Badge } from '#views/ui/marks.tsx'
import { Button } from '#views/ui/button.tsx'
import { Dialog, DialogButtons, MenuItem, RowMenu } from '#views/ui/overlays.tsx'
import { TextField, Form } from '#views/ui/form.tsx'
import { Setting, SettingsSection } from '#views/ui/settings.tsx'

export interface HouseholdsProps {
  households: Household[]
  invitations: HouseholdInvitation[]
}

/** An action can change both lists. */
const replacesSection = { 'hx-target': '#household', 'hx-swap': 'outerMorph' } as const

export const Households = ({ households, invitations }: HouseholdsProps) => (
  <SettingsSection
    id="household"
    title="Household"
    text="Share personal apps with people you live with. A household can’t own brands or API keys."
  >
    <div class="card">
      <HouseholdInvitations invitations={invitations} />
      <HouseholdList households={households} />
      <footer>
        <Button label="New household" icon="plus" size="sm" commandfor={newHousehold} command="show-modal" />
      </footer>
    </div>
    <NameDialog id={newHousehold} title="New household" action="Create household" hx-post="/api/households" />
  </SettingsSection>
)

const newHousehold = 'new-household'

export const HouseholdInvitations = ({ invitations }: Pick<HouseholdsProps, 'invitations'>) =>
  invitations.length > 0 ? (
    <ul class="list" aria-label="Household invitations">
      {invitations.map((invitation) => (
        <Invitation invitation={invitation} />
      ))}
    </ul>
  ) : (
    <></>
  )

export const HouseholdList = ({ households }: Pick<HouseholdsProps, 'households'>) =>
  households.length > 0 ? (
    <ul class="list" aria-label="Your households">
      {households.map((household) => (
        <HouseholdLine household={household} />
      ))}
    </ul>
  ) : (
    <ul class="list" aria-label="Your households">
      <li class="muted">You aren’t in a household.</li>
    </ul>
  )

const Invitation = ({ invitation: { id, household, invitedBy } }: { invitation: HouseholdInvitation }) => (
  <Setting
    id={`household-invitation-${id}`}
    icon="mail"
    name={household.name}
    detail={<span safe>{`${invitedBy.name} invited you to ${household.name}`}</span>}
  >
    <Form hx-post={`/api/household-invitations/${id}/accept`} {...replacesSection}>
      <Button label="Join" aria-label={`Join ${household.name}`} variant="primary" size="sm" type="submit" />
    </Form>
    <Form hx-delete={`/api/household-invitations/${id}`} {...replacesSection}>
      <Button label="Decline" aria-label={`Decline ${household.name}`} variant="ghost" size="sm" type="submit" />
    </Form>
  </Setting>
)

export const householdMenu = ({ id }: Pick<Household, 'id'>): string => `household-menu-${id}`
const householdDialogs = ({ id }: Pick<Household, 'id'>): string => `household-dialogs-${id}`

interface OfHousehold {
  household: Household
}

export const HouseholdLine = ({ household }: OfHousehold) => {
  const { id, name, selected, members } = household
  return (
    <Setting
      id={`household-${id}`}
      icon="users"
      name={name}
      badge={selected ? <Badge label="In use" tone="accent" /> : null}
      detail={<span safe>{members.map((member) => member.name).join(', ')}</span>}
    >
      <div>
        <RowMenu id={householdMenu(household)} label={`More about ${name}`} from={`/api/households/${id}`} />
        <div id={householdDialogs(household)} />
      </div>
    </Setting>
  )
}

/** The menu of a household, and its dialogs next to it. */
export const HouseholdMenu = ({ household }: OfHousehold) => {
  const { id, name, selected, members } = household
  const chosen = { ...replacesSection, popovertarget: householdMenu(household), popovertargetaction: 'hide' } as const
  return (
    <>
      <MenuItem
        label={selected ? 'Stop using' : 'Use'}
        icon="check"
        hx-put="/api/auth/me/household"
        hx-vals={JSON.stringify({ householdId: selected ? '' : id })}
        {...chosen}
      />
      <MenuItem label="Invite" icon="user-plus" commandfor={`invite-${id}`} command="show-modal" />
      <MenuItem label="Rename" icon="pen-line" commandfor={`rename-${id}`} command="show-modal" />
      <hr />
      <MenuItem
        label="Leave"
        icon="log-out"
        danger
        hx-delete={`/api/households/${id}/membership`}
        hx-confirm={`Leave ${name}?${members.length === 1 ? ' It is deleted, since you are its only member.' : ''}`}
        {...chosen}
      />
      <hx-partial hx-target={`#${householdDialogs(household)}`} hx-swap="innerHTML">
        <NameDialog
          id={`rename-${id}`}
          title={`Rename ${name}`}
          action="Rename"
          name={name}
          hx-put={`/api/households/${id}`}
        />
        <InviteDialog id={id} name={name} />
      </hx-partial>
    </>
  )
}

interface NameDialogProps {
  id: string
  title: string
  action: string
  name?: string
  'hx-post'?: string
  'hx-put'?: string
}

const NameDialog = ({ id, title, action, name = '', ...sent }: NameDialogProps) => (
  <Dialog id={id} title={title}>
    <Form {...sent} {...replacesSection}>
      <div class="body">
        <TextField
          label="Name"
          name="name"
          id={`${id}-name`}
          value={name}
          autofocus
          maxlength={100}
          autocomplete="off"
          required
        />
      </div>
      <DialogButtons dialog={id} submit={action} />
    </Form>
  </Dialog>
)

const InviteDialog = ({ id, name }: { id: string; name: string }) => (
  <Dialog id={`invite-${id}`} title={`Invite to ${name}`}>
    <Form hx-post={`/api/households/${id}/invitations`} {...replacesSection}>
      <div class="body">
        <TextField label="Email" name="email" id={`${id}-email`} type="email" autocomplete="off" required />
      </div>
      <DialogButtons dialog={`invite-${id}`} submit="Invite" />
    </Form>
  </Dialog>
)
