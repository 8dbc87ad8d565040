import { TextField } from '#views/ui/field.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { ZoneField } from '#views/ui/zone-field.tsx'
import type { ComposerProps } from './composer.tsx'

/** When it goes out. */
export const When = ({ post, date, time, zone }: ComposerProps) => (
  <fieldset class="card" data-tone="sunken" aria-label="When">
    <div class="body stack">
      <div class="segments" role="group" aria-label="When">
        <Choice value="at" label="At a time" checked={post?.status !== 'draft'} />
        <Choice value="now" label="Now" />
        <Choice value="none" label="No time yet" checked={post?.status === 'draft'} />
      </div>
      <div class="fields" data-at-time>
        <TextField label="Date" name="scheduledAt.date" id="date" type="date" value={date} required />
        <TextField label="Time" name="scheduledAt.time" id="time" type="time" value={time} required />
        <ZoneField label="Time zone" name="timeZone" id="zone" value={zone} />
      </div>
      <p class="small muted row">
        <Icon name="lightbulb" />
        <output id="when-words" />
      </p>
    </div>
  </fieldset>
)

const Choice = ({ value, label, checked }: { value: string; label: string; checked?: boolean }) => (
  <label>
    <input class="visually-hidden" type="radio" name="when" value={value} checked={checked} />
    <span safe>{label}</span>
  </label>
)
