import type { ListedPost } from '#social/types'
import { Button } from '#views/ui/button.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { Form, TextField, ZoneField } from '#views/ui/form.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { timeText, viewerZone, zoneName } from '#views/ui/time.tsx'
import { changing, publishQuestion } from './post-actions.tsx'
import { inAnHour, wallTimeOf, type Place } from './post-text.ts'

interface PostScheduleProps {
  post: ListedPost
  place: Place
}

interface PlannedProps extends PostScheduleProps {
  /** Approvals without which it can't be scheduled. */
  missing: number
}

/** When a post that waits for its time is published, and what changes that. */
export const PostSchedule = ({ post, place, missing }: PlannedProps) => (
  <>
    <Notice tone="info" {...wordsOf(post, place, missing)}>
      {post.can.update ? (
        <div class="actions">
          {missing === 0 || post.status === 'draft' ? (
            <Button
              label={missing > 0 ? 'Plan' : post.status === 'scheduled' ? 'Reschedule' : 'Schedule'}
              icon="calendar-clock"
              size="sm"
              variant={missing > 0 || post.status === 'scheduled' ? undefined : 'primary'}
              {...opensReschedule(post)}
            />
          ) : null}
          {post.can.publishNow ? (
            <Button
              label="Publish now"
              icon="send"
              size="sm"
              hx-post={`/api/posts/${post.id}/publish-now`}
              hx-confirm={publishQuestion(post)}
              {...changing(post, 'page')}
            />
          ) : null}
          {post.status === 'scheduled' ? (
            <Button
              label="Unschedule"
              icon="circle-dashed"
              size="sm"
              variant="ghost"
              hx-post={`/api/posts/${post.id}/unschedule`}
              {...changing(post, 'page')}
            />
          ) : null}
        </div>
      ) : null}
    </Notice>
    {post.can.update ? (
      <RescheduleDialog post={post} place={place} at={timeAhead(post, place)} isPlan={missing > 0} />
    ) : null}
  </>
)

/** A planned time that has passed isn't proposed. */
const timeAhead = ({ scheduledAt }: ListedPost, { now }: Place): string | null =>
  scheduledAt && new Date(scheduledAt) > now ? scheduledAt : null

function wordsOf(post: ListedPost, { now, zone }: Place, missing: number): { title: string; text: string } {
  const { status, scheduledAt } = post
  if (!scheduledAt)
    return {
      title: 'Draft, not scheduled',
      text:
        missing > 0 ? 'It needs an approval before it can be scheduled.' : 'It isn’t published until you schedule it.',
    }
  if (status === 'draft') {
    const planned = `${timeText(scheduledAt, zone, 'date')}, ${timeText(scheduledAt, zone, 'time')} (${zoneName(scheduledAt, zone)})`
    return new Date(scheduledAt) > now
      ? { title: `Planned for ${planned}`, text: planWords(post, missing) }
      : { title: `Planned for ${planned}, which has passed`, text: 'Choose a new time.' }
  }
  const [date, time] = [timeText(scheduledAt, zone, 'date'), timeText(scheduledAt, zone, 'time')]
  const away = timeUntil(new Date(scheduledAt), now)
  return { title: `Scheduled for ${date}, ${time} (${zoneName(scheduledAt, zone)})`, text: `Goes out ${away}.` }
}

function planWords({ reviewState }: ListedPost, missing: number): string {
  if (missing === 0) return 'It isn’t published until you schedule it.'
  return reviewState === 'none'
    ? 'Request a review: it is scheduled for this time once it is approved.'
    : 'It is scheduled for this time once it is approved.'
}

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const minuteMs = 60_000

/** `in 5 minutes`, `in 3 hours`, `in 2 days`. */
function timeUntil(at: Date, now: Date): string {
  const minutes = Math.max(1, Math.round((at.getTime() - now.getTime()) / minuteMs))
  if (minutes < 60) return relative.format(minutes, 'minute')
  const hours = Math.round(minutes / 60)
  return hours < 24 ? relative.format(hours, 'hour') : relative.format(Math.round(hours / 24), 'day')
}

interface RescheduleDialogProps extends PostScheduleProps {
  /** The proposed time: an hour from now when not set. */
  at?: string | null
  /** Only plans the time of a draft. */
  isPlan?: boolean
}

export const RescheduleDialog = ({ post, place, at, isPlan = false }: RescheduleDialogProps) => {
  const zone = post.timeZone ?? place.zone
  const { date, time } = wallTimeOf(at ? new Date(at) : inAnHour(place.now), zone)
  return (
    <Dialog id={rescheduleDialog(post)} title={isPlan ? 'Plan' : post.status === 'draft' ? 'Schedule' : 'Reschedule'}>
      <Form hx-put={`/api/posts/${post.id}`} {...changing(post, 'page')}>
        <input type="hidden" name="status" value={isPlan ? 'draft' : 'scheduled'} />
        <div class="body">
          <div class="fields">
            <TextField label="Date" name="scheduledAt.date" id="later-date" type="date" value={date} required />
            <TextField label="Time" name="scheduledAt.time" id="later-time" type="time" value={time} required />
          </div>
          <ZoneField label="Time zone" name="timeZone" id="later-zone" value={zone} />
          <ScheduleHint />
        </div>
        <DialogButtons dialog={rescheduleDialog(post)} submit={isPlan ? 'Plan' : 'Schedule'} />
      </Form>
    </Dialog>
  )
}

/** Says when the entered time is, and whether the clocks skip or repeat it. */
export const ScheduleHint = () => (
  <schedule-hint data-zone={viewerZone()}>
    <output class="small muted" />
  </schedule-hint>
)

const rescheduleDialog = ({ id }: ListedPost): string => `reschedule-${id}`

export const opensReschedule = (post: ListedPost) => ({ commandfor: rescheduleDialog(post), command: 'show-modal' })
