import type { OwnSession, RefusedSignIn } from '#identity/types'
import { Badge } from '#views/ui/badge.tsx'
import { Button } from '#views/ui/button.tsx'
import { Form } from '#views/ui/form.tsx'
import { Pager } from '#views/ui/pager.tsx'
import { Time } from '#views/ui/time.tsx'

export interface SessionsProps {
  sessions: OwnSession[]
  refused: { at: Date; address: RefusedSignIn['address'] }[]
  nextCursor: string | null
}

/** Where one is signed in, each with the way to end it, and who tried to be. */
export const Sessions = ({ sessions, refused, nextCursor }: SessionsProps) => (
  <div class="page stack" style="--measure: 48rem; --gap: var(--space-8)">
    <section class="section" aria-labelledby="sessions">
      <header class="row">
        <h2 id="sessions" class="grow">
          Sessions
        </h2>
        {sessions.length > 1 ? (
          <Form hx-delete="/api/auth/sessions">
            <Button label="Sign out other sessions" size="sm" variant="quiet-danger" type="submit" />
          </Form>
        ) : null}
      </header>
      <ul class="list" aria-label="Your sessions">
        {sessions.map((session) => (
          <Line session={session} />
        ))}
      </ul>
      {nextCursor ? (
        <Pager
          label="More sessions"
          summary={`${sessions.length} shown`}
          next={`/settings/sessions?cursor=${encodeURIComponent(nextCursor)}`}
        />
      ) : null}
    </section>
    <section class="section" aria-labelledby="refused">
      <h2 id="refused">Failed sign-ins</h2>
      {refused.length > 0 ? (
        <Refused refused={refused} />
      ) : (
        <p class="muted">No wrong passwords or codes for your account.</p>
      )}
    </section>
  </div>
)

/** How a session was opened, in words. */
export const ways: Record<OwnSession['method'], string> = {
  password: 'by password',
  passkey: 'by passkey',
  link: 'by an emailed link',
  upstream: 'by another account',
  registration: 'by signing up',
}

const Line = ({ session }: { session: OwnSession }) => (
  <li>
    <span class="grow">
      <span safe>{session.device ?? 'Unknown device'}</span> {session.current ? <Badge label="This device" /> : null}
      <small class="wrap-anywhere">
        Signed in <Time at={session.createdAt} zone="UTC" />{' '}
        <span safe>
          {`${session.app ? `to ${session.app}, ` : ''}${ways[session.method]}${session.address ? ` from ${session.address}` : ''}, ${session.organization ?? 'Personal'}`}
        </span>
      </small>
      <small>
        Last used <Time at={session.lastUsedAt} zone="UTC" />, expires without use{' '}
        <Time at={session.expiresAt} zone="UTC" />
      </small>
    </span>
    {session.current ? null : (
      <Form hx-delete={`/api/auth/sessions/${session.id}`}>
        <Button label="Sign out" size="sm" variant="quiet-danger" type="submit" />
      </Form>
    )}
  </li>
)

const Refused = ({ refused }: Pick<SessionsProps, 'refused'>) => (
  <>
    <p class="muted">Wrong passwords and codes. Don’t recognize these? Turn on a second factor.</p>
    <ul class="list" aria-label="Wrong passwords and codes">
      {refused.map(({ at, address }) => (
        <li>
          <span class="grow">
            <Time at={at} zone="UTC" />
          </span>
          <span class="muted" safe>
            {address ?? 'Unknown address'}
          </span>
        </li>
      ))}
    </ul>
  </>
)
