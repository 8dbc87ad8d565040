import type { Post } from '#social/types'
import { TextField, ZoneField } from '#views/ui/form.tsx'
import { viewerZone } from '#views/ui/time.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { inAnHour, wallTimeOf, type Place } from './post-text.ts'

interface WhenProps {
  post: Post | null
  place: Place
  /** The brand's next free queue slot. */
  nextSlot: string | null
  /** The local time that a link asked for, or only its day. */
  at?: string
  /** Without its approvals it isn't published now. */
  isGated: boolean
}

/** Of a scheduled post, or the planned one of a draft. */
export const timeOf = ({ status, scheduledAt }: Post): Date | null =>
  scheduledAt && (status === 'scheduled' || status === 'draft') ? new Date(scheduledAt) : null

/** The post's own time, or the one of a link, else an hour from now. */
export const When = ({ post, place, nextSlot, at, isGated }: WhenProps) => {
  const zone = post?.timeZone ?? place.zone
  const scheduledAt = post && timeOf(post)
  const isTimeless = post?.status === 'draft' && !scheduledAt
  const { date, time } = (at && askedFor(at, place)) || wallTimeOf(scheduledAt ?? inAnHour(place.now), zone)
  return (
    <fieldset class="card" data-tone="sunken" aria-label="When">
      <div class="body stack">
        <div class="segments" role="group" aria-label="When">
          <Choice value="at" label={isGated ? 'At a time' : 'Schedule'} checked={!isTimeless} />
          {nextSlot ? <Choice value="slot" label="Next free slot" /> : null}
          {isGated ? null : <Choice value="now" label="Publish now" />}
          {post?.status === 'scheduled' ? null : (
            <Choice value="none" label={isGated ? 'No time yet' : 'Save as draft'} checked={isTimeless} />
          )}
        </div>
        <div class="fields" data-at-time hidden={isTimeless}>
          <TextField label="Date" name="scheduledAt.date" id="date" type="date" value={date} required />
          <TextField label="Time" name="scheduledAt.time" id="time" type="time" value={time} required />
          <ZoneField label="Time zone" name="timeZone" id="zone" value={zone} />
        </div>
        <p class="small muted row" id="when-hint">
          <Icon name="clock" />
          <output
            id="when-words"
            data-zone={viewerZone()}
            data-slot={nextSlot ?? undefined}
            data-slot-zone={place.zone}
          />
        </p>
      </div>
    </fieldset>
  )
}

/** Null once it has passed. On a later day than today, a post without a time begins at nine. */
function askedFor(at: string, { now, zone }: Place): { date: string; time: string } | null {
  const [date = '', time = '09:00'] = at.split('T')
  const today = wallTimeOf(now, zone)
  return `${date}T${time}` > `${today.date}T${today.time}` ? { date, time } : null
}

const Choice = ({ value, label, checked }: { value: string; label: string; checked?: boolean }) => (
  <label>
    <input class="visually-hidden" type="radio" name="when" value={value} checked={checked} />
    <span safe>{label}</span>
  </label>
)
