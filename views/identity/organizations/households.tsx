import type { Household, HouseholdInvitation } from '#identity/types'
import { Badge } from '#views/ui/marks.tsx'
import { Button } from '#views/ui/button.tsx'
import { Dialog, DialogButtons, MenuItem, RowMenu } from '#views/ui/overlays.tsx'
import { TextField, Form } from '#views/ui/form.tsx'

export interface HouseholdsProps {
  households: Household[]
  invitations: HouseholdInvitation[]
}

/** An action can change both lists. */
const replacesSection = { 'hx-target': '#household', 'hx-swap': 'outerMorph' } as const

export const Households = ({ households, invitations }: HouseholdsProps) => (
  <section class="section stack" id="household" aria-labelledby="households">
    <header>
      <h2 id="households">Household</h2>
      <Button label="New household" commandfor={newHousehold} command="show-modal" />
    </header>
    <p class="muted">Share personal apps with people you live with.</p>
    <HouseholdInvitations invitations={invitations} />
    <HouseholdList households={households} />
    <NameDialog id={newHousehold} title="New household" action="Create household" hx-post="/api/households" />
    {households.map(({ id, name }) => (
      <>
        <NameDialog
          id={`rename-${id}`}
          title={`Rename ${name}`}
          action="Rename"
          name={name}
          hx-put={`/api/households/${id}`}
        />
        <InviteDialog id={id} name={name} />
      </>
    ))}
  </section>
)

const newHousehold = 'new-household'

export const HouseholdInvitations = ({ invitations }: Pick<HouseholdsProps, 'invitations'>) => (
  <>
    {invitations.map((invitation) => (
      <Invitation invitation={invitation} />
    ))}
  </>
)

export const HouseholdList = ({ households }: Pick<HouseholdsProps, 'households'>) =>
  households.length > 0 ? (
    <ul class="list" aria-label="Your households">
      {households.map((household) => (
        <Line household={household} />
      ))}
    </ul>
  ) : (
    <></>
  )

const Invitation = ({ invitation: { id, household, invitedBy } }: { invitation: HouseholdInvitation }) => (
  <div class="row">
    <p class="grow wrap-anywhere" safe>{`${invitedBy.name} invited you to ${household.name}`}</p>
    <Form hx-post={`/api/household-invitations/${id}/accept`} {...replacesSection}>
      <Button label="Join" variant="primary" size="sm" type="submit" />
    </Form>
    <Form hx-delete={`/api/household-invitations/${id}`} {...replacesSection}>
      <Button label="Decline" size="sm" type="submit" />
    </Form>
  </div>
)

const Line = ({ household: { id, name, selected, members } }: { household: Household }) => {
  const menu = `household-menu-${id}`
  const closesMenu = { popovertarget: menu, popovertargetaction: 'hide' } as const
  return (
    <li id={`household-${id}`}>
      <span class="grow">
        <span class="wrap-anywhere" safe>
          {name}
        </span>{' '}
        {selected ? <Badge label="Selected" /> : null}
        <small class="wrap-anywhere" safe>
          {members.map((member) => member.name).join(', ')}
        </small>
      </span>
      <RowMenu id={menu} label={`More about ${name}`}>
        <MenuItem
          label={selected ? 'Deselect' : 'Select'}
          hx-put="/api/auth/me/household"
          hx-vals={JSON.stringify({ householdId: selected ? '' : id })}
          {...replacesSection}
          {...closesMenu}
        />
        <MenuItem label="Invite" commandfor={`invite-${id}`} command="show-modal" />
        <MenuItem label="Rename" commandfor={`rename-${id}`} command="show-modal" />
        <hr />
        <MenuItem
          label="Leave"
          icon="log-out"
          danger
          hx-delete={`/api/households/${id}/membership`}
          hx-confirm={`Leave ${name}?${members.length === 1 ? ' It is deleted, since you are its only member.' : ''}`}
          {...closesMenu}
          {...replacesSection}
        />
      </RowMenu>
    </li>
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
