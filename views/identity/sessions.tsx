import type { OwnSession } from '#identity'
import { Badge } from '#views/ui/badge.tsx'
import { Button } from '#views/ui/button.tsx'
import { Form } from '#views/ui/form.tsx'
import { Pager } from '#views/ui/pager.tsx'
import { Time } from '#views/ui/time.tsx'

export interface SessionsProps {
  sessions: OwnSession[]
  nextCursor: string | null
}

/** Where one is signed in, each with the way to end it. */
export const Sessions = ({ sessions, nextCursor }: SessionsProps) => (
  <div class="page stack" style="--measure: 48rem">
    <section class="section" aria-labelledby="sessions">
      <h2 id="sessions">Sessions</h2>
      <ul class="list" aria-label="Where you are signed in">
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
  </div>
)

const Line = ({ session }: { session: OwnSession }) => (
  <li>
    <span class="grow">
      <span>
        Signed in <Time at={session.createdAt} zone="UTC" />
      </span>{' '}
      {session.current ? <Badge label="This one" /> : null}
      <small class="wrap-anywhere">
        <span safe>{session.organization ?? 'Personal'}</span>, ends without use{' '}
        <Time at={session.expiresAt} zone="UTC" />
      </small>
    </span>
    {session.current ? null : (
      <Form hx-delete={`/api/auth/sessions/${session.id}`}>
        <Button label="End" size="sm" variant="quiet-danger" type="submit" />
      </Form>
    )}
  </li>
)
