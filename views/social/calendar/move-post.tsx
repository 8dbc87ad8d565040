import type { PostDetails } from '#social/types'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { Form, TextField } from '#views/ui/form.tsx'
import { viewerZone, zoneName } from '#views/ui/time.tsx'
import { accountName, excerpt, inAnHour, networkNames, wallTimeOf, type Place } from '../posts/post-text.ts'

export interface MovePostProps {
  post: PostDetails
  place: Place
  /** The calendar that it leads back to. */
  backHref: string
  /** Why the form was refused, which without scripts is shown again. */
  problem?: string
}

/** A plain form: it works without scripts, and for the keyboard. */
export const MovePost = ({ post, place, backHref, problem }: MovePostProps) => {
  const { zone, now } = place
  const { date, time } = wallTimeOf(post.scheduledAt ? new Date(post.scheduledAt) : inAnHour(now), zone)
  return (
    <>
      <header class="page-header">
        <h1>Move post</h1>
      </header>
      <div class="page" style="--measure: 32rem">
        <div class="stack">
          {problem ? <Notice tone="danger" role="alert" text={problem} /> : null}
          <p class="muted" safe>
            {`${networkNames[post.provider]}, ${accountName(post.provider, post.accountName)}: ${excerpt(post.text) || 'Post without text'}`}
          </p>
          {post.threadId ? <Notice text="The unpublished posts of its thread move with it." /> : null}
          <Form hx-patch={`/api/calendar/${post.id}`} class="stack">
            <input type="hidden" name="version" value={String(post.version)} />
            <input type="hidden" name="timeZone" value={zone} />
            <div class="fields">
              <TextField label="Date" name="localTime.date" id="date" type="date" value={date} required autofocus />
              <TextField label="Time" name="localTime.time" id="time" type="time" value={time} required />
            </div>
            <schedule-hint data-zone={viewerZone()} data-field="localTime">
              <output class="small muted" safe>
                {`Time in ${zone} (${zoneName(now, zone)})`}
              </output>
            </schedule-hint>
            <div class="actions">
              <Button label="Move" variant="primary" type="submit" />
              <ButtonLink label="Cancel" variant="ghost" href={backHref} />
            </div>
          </Form>
        </div>
      </div>
    </>
  )
}
