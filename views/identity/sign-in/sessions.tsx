import type { OwnSession, RefusedSignIn } from '#identity/types'
import { Button } from '#views/ui/button.tsx'
import { Form } from '#views/ui/form.tsx'
import type { IconName } from '#views/ui/icon.tsx'
import { Pager } from '#views/ui/lists.tsx'
import { Badge } from '#views/ui/marks.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { Setting, SettingsSection } from '#views/ui/settings.tsx'
import { Time, TimesIn } from '#views/ui/time.tsx'

interface SessionListProps {
  sessions: OwnSession[]
  nextCursor: string | null
}

export interface SessionsProps extends SessionListProps {
  failed: RefusedSignIn[]
}

export const sessionsPerPage = 50

export const Sessions = ({ failed, ...list }: SessionsProps) => (
  <>
    <header class="page-header">
      <h1>Sessions</h1>
      <TimesIn />
    </header>
    <div class="page settings">
      <SessionList {...list} />
      <SettingsSection
        id="failed-sign-ins"
        title="Failed sign-ins"
        text="Wrong passwords and codes for your account. Don’t recognize these? Turn on two-factor authentication."
      >
        <div class="card">
          <FailedSignIns failed={failed} />
        </div>
      </SettingsSection>
    </div>
  </>
)

const place = 'session-list'
/** The end of a session can end others that it opened. */
const replacesList = { 'hx-target': `#${place}`, 'hx-swap': 'outerMorph' } as const
const endingOthers = 'sign-out-others'

export const SessionList = ({ sessions, nextCursor }: SessionListProps) => (
  <SettingsSection id={place} title="Signed in" text="You’re signed out of a device after 14 days without use.">
    <div class="card">
      <ul class="list" aria-label="Your sessions">
        {sessions.map((session) => (
          <SessionRow session={session} />
        ))}
        {nextCursor ? <More cursor={encodeURIComponent(nextCursor)} shown={sessions.length} /> : null}
      </ul>
      {sessions.length > 1 ? (
        <footer>
          <Button label="Sign out everywhere else" size="sm" commandfor={endingOthers} command="show-modal" />
        </footer>
      ) : null}
    </div>
    <Dialog id={endingOthers} title="Sign out everywhere else?">
      <Form hx-delete="/api/auth/sessions" {...replacesList}>
        <div class="body">
          <p>You stay signed in on this device. All your other sessions end immediately.</p>
        </div>
        <DialogButtons dialog={endingOthers} submit="Sign out everywhere else" danger focusCancel />
      </Form>
    </Dialog>
  </SettingsSection>
)

/** Loading more replaces it by the next sessions, and their own. */
const More = ({ cursor, shown }: { cursor: string; shown: number }) => (
  <li class="more">
    <Pager
      label="More sessions"
      summary={`${shown} more loaded`}
      next={`/settings/sessions?cursor=${cursor}`}
      hx-get={`/api/auth/sessions?limit=${sessionsPerPage}&cursor=${cursor}`}
      hx-target="closest li"
      hx-select={`#${place} ul > li`}
      hx-swap="outerHTML"
    />
  </li>
)

export const ways: Record<OwnSession['method'], string> = {
  password: 'with a password',
  passkey: 'with a passkey',
  link: 'with an email link',
  sso: 'with single sign-on',
  registration: 'by signing up',
}

const SessionRow = ({ session }: { session: OwnSession }) => {
  const device = session.device ?? 'Unknown device'
  return (
    <Setting
      id={`session-${session.id}`}
      icon={iconOf(session)}
      name={session.app ? `${session.app}, ${device}` : device}
      detail={<Facts session={session} />}
    >
      {session.current ? (
        <Badge label="This device" tone="accent" />
      ) : (
        <Form hx-delete={`/api/auth/sessions/${session.id}`} {...replacesList}>
          <Button label="Sign out" aria-label={`Sign out ${device}`} size="sm" type="submit" />
        </Form>
      )}
    </Setting>
  )
}

const Facts = ({
  session: { address, method, createdAt, lastUsedAt, current, organization },
}: {
  session: OwnSession
}) => (
  <>
    <span safe>{`${address ?? 'Unknown address'} · ${organization ?? 'Personal'} · signed in ${ways[method]}, `}</span>
    <Time at={createdAt} form={current ? 'moment' : 'day'} />
    {current ? null : (
      <>
        {' · used '}
        <Time at={lastUsedAt} form="moment" />
      </>
    )}
  </>
)

function iconOf({ device }: OwnSession): IconName {
  if (device === null) return 'circle-help'
  if (/iPhone|iPad|Android/.test(device)) return 'smartphone'
  return /macOS|ChromeOS/.test(device) ? 'laptop' : 'monitor'
}

export const FailedSignIns = ({ failed }: Pick<SessionsProps, 'failed'>) => (
  <ul class="list" aria-label="Failed sign-ins, newest first">
    {failed.length === 0 ? <li class="muted">No failed sign-ins to your account.</li> : null}
    {groupAttempts(failed).map(({ at, address, attempts }) => (
      <Setting
        name={attempts === 1 ? 'Wrong password or code' : `${attempts} wrong passwords or codes`}
        detail={<span safe>{address ?? 'Unknown address'}</span>}
      >
        <small class="muted">
          <Time at={at} form="moment" />
        </small>
      </Setting>
    ))}
  </ul>
)

type Attempts = RefusedSignIn & { attempts: number }

/** Consecutive ones from an address, with the time of the last. */
function groupAttempts(failed: RefusedSignIn[]): Attempts[] {
  const groups: Attempts[] = []
  for (const attempt of failed) {
    const last = groups.at(-1)
    if (last?.address === attempt.address) last.attempts += 1
    else groups.push({ ...attempt, attempts: 1 })
  }
  return groups
}
