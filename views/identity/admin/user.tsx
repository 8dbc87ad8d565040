import type { AdminUserDetail } from '#identity/types'
import { Button } from '#views/ui/button.tsx'
import { counted } from '#lib/text.ts'
import { Avatar } from '#views/ui/marks.tsx'
import { Time } from '#views/ui/time.tsx'
import { PageHeader } from '#views/ui/page-header.tsx'
import { roleName } from '../organizations/roles.ts'
import { ways } from '../sign-in/sessions.tsx'
import { ReasonDialog } from './reason-dialog.tsx'

export interface AdminUserProps {
  user: AdminUserDetail
}

const place = 'admin-user'

/** Replaced as a whole by what support does. */
export const AdminUserView = (props: AdminUserProps) => (
  <div id={place}>
    <PageHeader
      title={props.user.name}
      crumbs={[{ href: '/admin/users', label: 'People' }]}
      mark={<Avatar name={props.user.name} seed={props.user.id} size="lg" />}
    >
      {props.user.deletesAt ? (
        <div class="actions">
          <Button label="Cancel deletion" icon="undo-2" commandfor={keeping} command="show-modal" />
        </div>
      ) : null}
    </PageHeader>
    <div class="page split">
      <div class="stack" style="--gap: var(--space-8)">
        <Organizations {...props} />
        <SecondFactor {...props} />
        <Sessions {...props} />
      </div>
      <aside>
        <section class="section" aria-labelledby="facts">
          <h2 id="facts">Account</h2>
          <Facts {...props} />
        </section>
      </aside>
    </div>
    <ReasonDialog
      id={keeping}
      title={`Cancel the deletion of ${props.user.name}’s account?`}
      text="They can sign in again, and their API keys work again."
      target={`#${place}`}
      route={`/api/admin/users/${props.user.id}/deletion`}
      action="Cancel deletion"
      dismiss="Close"
      variant="primary"
    />
  </div>
)

const keeping = 'cancel-deletion'

const Facts = ({ user }: AdminUserProps) => (
  <dl class="facts">
    <dt>Email</dt>
    <dd class="wrap-anywhere" safe>
      {user.email}
    </dd>
    <dt>ID</dt>
    <dd class="mono wrap-anywhere" safe>
      {user.id}
    </dd>
    <dt>Type</dt>
    <dd>{user.principalType === 'platform_super_admin' ? 'Super admin' : 'Person'}</dd>
    <dt>Created</dt>
    <dd>
      <Time at={user.createdAt} form="longDay" />
    </dd>
    {user.deletesAt ? (
      <>
        <dt>Will be deleted on</dt>
        <dd>
          <Time at={user.deletesAt} form="longDay" />
        </dd>
      </>
    ) : null}
    <dt>Password</dt>
    <dd>{user.factors.password ? 'Set' : 'None'}</dd>
  </dl>
)

const Organizations = ({ user }: AdminUserProps) => (
  <section class="section" aria-labelledby="organizations">
    <h2 id="organizations">Organizations</h2>
    {user.organizations.length === 0 ? <p class="muted">Not a member of any organization.</p> : null}
    <div class="card">
      <ul class="list" data-settings>
        {user.organizations.map((organization) => (
          <li>
            <span class="grow">
              <a class="wrap-anywhere" href={`/admin/organizations/${organization.id}`} safe>
                {organization.name}
              </a>
              <small>
                Joined <Time at={organization.joinedAt} form="longDay" />
              </small>
            </span>
            <span class="muted" safe>
              {roleName(organization.role)}
            </span>
          </li>
        ))}
      </ul>
    </div>
  </section>
)

const resetting = 'reset-second-factor'
const ending = 'end-sessions'

const SecondFactor = ({ user }: AdminUserProps) => {
  const { totpSince, recoveryCodes, passkeys } = user.factors
  const hasNone = totpSince === null && passkeys.length === 0
  return (
    <section class="section" aria-labelledby="second-factor">
      <header class="row">
        <h2 id="second-factor" class="grow">
          Second factor
        </h2>
        {!user.can.resetSecondFactor ? null : (
          <Button label="Reset" size="sm" variant="quiet-danger" commandfor={resetting} command="show-modal" />
        )}
      </header>
      {hasNone ? <p class="muted">No authenticator app and no passkey.</p> : null}
      <div class="card">
        <ul class="list" data-settings>
          {totpSince ? (
            <li>
              <span class="grow">
                Authenticator app
                <small>
                  Since <Time at={totpSince} form="longDay" />
                </small>
              </span>
              <span class="muted" safe>
                {`${counted(recoveryCodes, 'recovery code')} left`}
              </span>
            </li>
          ) : null}
          {passkeys.map((passkey) => (
            <li>
              <span class="grow">
                <span class="wrap-anywhere" safe>
                  {`Passkey ${passkey.name}`}
                </span>
                <small>
                  Added <Time at={passkey.createdAt} form="longDay" />
                </small>
              </span>
            </li>
          ))}
        </ul>
      </div>
      <ReasonDialog
        id={resetting}
        title={`Reset the second factor of ${user.name}?`}
        text="Their authenticator app, recovery codes and passkeys are removed. They then sign in with only their password or an emailed link, so verify who is asking first."
        target={`#${place}`}
        route={`/api/admin/users/${user.id}/second-factor`}
        action="Reset"
      />
    </section>
  )
}

const Sessions = ({ user }: AdminUserProps) => (
  <section class="section" aria-labelledby="sessions">
    <header class="row">
      <h2 id="sessions" class="grow">
        Sessions
      </h2>
      {user.sessions.length === 0 || !user.can.endSessions ? null : (
        <Button label="Sign out everywhere" size="sm" variant="quiet-danger" commandfor={ending} command="show-modal" />
      )}
    </header>
    {user.sessions.length === 0 ? <p class="muted">Not signed in anywhere.</p> : null}
    <div class="card">
      <ul class="list" data-settings>
        {user.sessions.map((session) => (
          <li>
            <span class="grow">
              <span safe>{session.device ?? 'Unknown device'}</span>
              <small class="wrap-anywhere">
                Signed in <Time at={session.createdAt} />{' '}
                <span safe>
                  {`${session.app ? `to ${session.app}, ` : ''}${ways[session.method]}${session.address ? ` from ${session.address}` : ''}`}
                </span>
              </small>
              <small>
                Last used <Time at={session.lastUsedAt} />
              </small>
            </span>
          </li>
        ))}
      </ul>
    </div>
    <ReasonDialog
      id={ending}
      title={`Sign ${user.name} out everywhere?`}
      text="They’ll be signed out on every device. Their API keys keep working."
      target={`#${place}`}
      route={`/api/admin/users/${user.id}/sessions`}
      action="Sign out everywhere"
    />
  </section>
)
