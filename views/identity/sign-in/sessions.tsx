import type { OwnSession, RefusedSignIn } from '#identity/types'
import { Badge } from '#views/ui/marks.tsx'
import { Button } from '#views/ui/button.tsx'
import { Form } from '#views/ui/form.tsx'
import { Pager } from '#views/ui/lists.tsx'
import { Time } from '#views/ui/time.tsx'

interface SessionListProps {
  sessions: OwnSession[]
  nextCursor: string | null
}

export interface SessionsProps extends SessionListProps {
  failed: RefusedSignIn[]
}

export const sessionsPerPage = 50

export const Sessions = ({ failed, ...list }: SessionsProps) => (
  <div class="page stack" style="--measure: 48rem; --gap: var(--space-8)">
    <SessionList {...list} />
    <section class="section" aria-labelledby="refused">
      <h2 id="refused">Failed sign-ins</h2>
      <FailedSignIns failed={failed} />
    </section>
  </div>
)

/** The end of a session can end others that it opened. */
const replacesList = { 'hx-target': '#session-list', 'hx-swap': 'outerMorph' } as const

export const SessionList = ({ sessions, nextCursor }: SessionListProps) => (
  <section class="section" id="session-list" aria-labelledby="sessions">
    <header class="row">
      <h2 id="sessions" class="grow">
        Sessions
      </h2>
      {sessions.length > 1 ? (
        <Form hx-delete="/api/auth/sessions" {...replacesList}>
          <Button label="Sign out other sessions" size="sm" variant="quiet-danger" type="submit" />
        </Form>
      ) : null}
    </header>
    <ul class="list" aria-label="Your sessions">
      {sessions.map((session) => (
        <Line session={session} />
      ))}
      {nextCursor ? <More cursor={encodeURIComponent(nextCursor)} shown={sessions.length} /> : null}
    </ul>
  </section>
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
      hx-select="#session-list > ul > li"
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

const Line = ({ session }: { session: OwnSession }) => (
  <li id={`session-${session.id}`}>
    <span class="grow">
      <span safe>{session.device ?? 'Unknown device'}</span> {session.current ? <Badge label="This device" /> : null}
      <small class="wrap-anywhere">
        Signed in <Time at={session.createdAt} />{' '}
        <span safe>
          {`${session.app ? `to ${session.app}, ` : ''}${ways[session.method]}${session.address ? ` from ${session.address}` : ''}, ${session.organization ?? 'Personal'}`}
        </span>
      </small>
      <small>
        Last used <Time at={session.lastUsedAt} />, expires if unused <Time at={session.expiresAt} />
      </small>
    </span>
    {session.current ? null : (
      <Form hx-delete={`/api/auth/sessions/${session.id}`} {...replacesList}>
        <Button label="Sign out" size="sm" variant="quiet-danger" type="submit" />
      </Form>
    )}
  </li>
)

export const FailedSignIns = ({ failed }: Pick<SessionsProps, 'failed'>) =>
  failed.length === 0 ? (
    <p class="muted">No failed sign-ins to your account.</p>
  ) : (
    <>
      <p class="muted">
        Attempts with a wrong password or code. Don’t recognize these? Turn on two-factor authentication.
      </p>
      <ul class="list" aria-label="Failed sign-ins, newest first">
        {failed.map(({ at, address }) => (
          <li>
            <span class="grow">
              <Time at={at} />
            </span>
            <span class="muted" safe>
              {address ?? 'Unknown address'}
            </span>
          </li>
        ))}
      </ul>
    </>
  )
