import type { Household, HouseholdInvitation } from '#identity/types'
import { Badge } from '#views/ui/badge.tsx'
import { Button } from '#views/ui/button.tsx'
import { Dialog } from '#views/ui/dialog.tsx'
import { TextField } from '#views/ui/field.tsx'
import { Form } from '#views/ui/form.tsx'
import { MenuItem, RowMenu } from '#views/ui/menu.tsx'

export interface HouseholdsProps {
  households: Household[]
  invitations: HouseholdInvitation[]
}

/** The people one keeps house with, for the apps that serve a household. */
export const Households = ({ households, invitations }: HouseholdsProps) => (
  <section class="section stack" aria-labelledby="households">
    <header>
      <h2 id="households">Household</h2>
      <Button label="New household" commandfor={newHousehold} command="show-modal" />
    </header>
    <p class="muted">Share personal apps with the people you live with.</p>
    {invitations.map((invitation) => (
      <Invitation invitation={invitation} />
    ))}
    {households.length > 0 ? (
      <ul class="list" aria-label="Your households">
        {households.map((household) => (
          <Line household={household} />
        ))}
      </ul>
    ) : null}
    <NameDialog id={newHousehold} title="New household" act="Create household" hx-post="/api/households" />
    {households.map(({ id, name }) => (
      <>
        <NameDialog
          id={`rename-${id}`}
          title={`Rename ${name}`}
          act="Rename"
          name={name}
          hx-put={`/api/households/${id}`}
        />
        <InviteDialog id={id} name={name} />
      </>
    ))}
  </section>
)

const newHousehold = 'new-household'

const Invitation = ({ invitation: { id, household, invitedBy } }: { invitation: HouseholdInvitation }) => (
  <div class="row">
    <p class="grow wrap-anywhere" safe>{`${invitedBy.name} invites you to ${household.name}`}</p>
    <Form hx-post={`/api/household-invitations/${id}/accept`}>
      <Button label="Join" variant="primary" size="sm" type="submit" />
    </Form>
    <Form hx-delete={`/api/household-invitations/${id}`}>
      <Button label="Decline" size="sm" type="submit" />
    </Form>
  </div>
)

const Line = ({ household: { id, name, selected, members } }: { household: Household }) => (
  <li>
    <span class="grow">
      <span class="wrap-anywhere" safe>
        {name}
      </span>{' '}
      {selected ? <Badge label="Selected" /> : null}
      <small class="wrap-anywhere" safe>
        {members.map((member) => member.name).join(', ')}
      </small>
    </span>
    <RowMenu id={`acts-of-${id}`} label={`More about ${name}`}>
      <MenuItem
        label={selected ? 'Unselect' : 'Select'}
        hx-put="/api/auth/me/household"
        hx-vals={JSON.stringify({ householdId: selected ? '' : id })}
        hx-swap="none"
      />
      <MenuItem label="Invite" commandfor={`invite-${id}`} command="show-modal" />
      <MenuItem label="Rename" commandfor={`rename-${id}`} command="show-modal" />
      <hr />
      <MenuItem label="Leave" icon="log-out" danger hx-delete={`/api/households/${id}/membership`} hx-swap="none" />
    </RowMenu>
  </li>
)

interface NameDialogProps {
  id: string
  title: string
  act: string
  name?: string
  'hx-post'?: string
  'hx-put'?: string
}

const NameDialog = ({ id, title, act, name = '', ...sent }: NameDialogProps) => (
  <Dialog id={id} title={title}>
    <Form {...sent}>
      <div class="body">
        <TextField
          label="Name"
          name="name"
          id={`${id}-name`}
          value={name}
          maxlength={100}
          autocomplete="off"
          required
        />
      </div>
      <footer>
        <Button label="Cancel" variant="ghost" commandfor={id} command="close" />
        <Button label={act} variant="primary" type="submit" />
      </footer>
    </Form>
  </Dialog>
)

const InviteDialog = ({ id, name }: { id: string; name: string }) => (
  <Dialog id={`invite-${id}`} title={`Invite to ${name}`}>
    <Form hx-post={`/api/households/${id}/invitations`}>
      <div class="body">
        <TextField label="Email" name="email" id={`${id}-email`} type="email" autocomplete="off" required />
      </div>
      <footer>
        <Button label="Cancel" variant="ghost" commandfor={`invite-${id}`} command="close" />
        <Button label="Invite" variant="primary" type="submit" />
      </footer>
    </Form>
  </Dialog>
)
