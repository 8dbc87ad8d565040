import type { Workflow } from '#dashboard/types'
import { SelectField, TextField, ZoneField } from '#views/ui/form.tsx'

type Schedule = Extract<Workflow['trigger'], { type: 'schedule' }>

const repeats = [
  { value: 'daily', label: 'Every day' },
  { value: 'weekdays', label: 'Every weekday' },
  { value: 'weekly', label: 'Every week' },
  { value: 'monthly', label: 'Every month' },
  { value: 'cron', label: 'Cron fields' },
]

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'].map((label, at) => ({
  value: String((at + 1) % 7),
  label,
}))

const days = [
  ...Array.from({ length: 28 }, (_, at) => ({ value: String(at + 1), label: String(at + 1) })),
  { value: 'last', label: 'Last day' },
]

interface ScheduleFieldsProps {
  form: string
  trigger?: Schedule
  /** How its cron fields are shown. */
  plain?: Workflow['schedule']
}

/** Screen CSS hides the fields that the choice doesn't use. Each change shows the next times. */
export const ScheduleFields = ({ form, trigger, plain }: ScheduleFieldsProps) => (
  <fieldset
    class="schedule"
    aria-label="Schedule"
    hx-get="/api/workflows/schedule"
    hx-trigger="change delay:200ms"
    hx-include="this"
    hx-target={`#${form}-times`}
    hx-swap="innerHTML"
    hx-sync="this:replace"
  >
    <input type="hidden" name="trigger.type" value="schedule" />
    <SelectField
      label="Repeats"
      name="trigger.repeat"
      id={`${form}-repeat`}
      options={repeats}
      value={plain?.repeat ?? 'weekly'}
    />
    <div data-for="weekly">
      <SelectField
        label="Weekday"
        name="trigger.weekday"
        id={`${form}-weekday`}
        options={weekdays}
        value={String(plain?.weekday ?? 1)}
      />
    </div>
    <div data-for="monthly">
      <SelectField
        label="Day of the month"
        name="trigger.day"
        id={`${form}-day`}
        options={days}
        value={String(plain?.day ?? 1)}
      />
    </div>
    <div data-for="plain">
      <TextField label="Time" name="trigger.time" id={`${form}-time`} type="time" value={plain?.time ?? '09:00'} />
    </div>
    <div data-for="cron">
      <TextField
        label="Cron fields"
        name="trigger.cron"
        id={`${form}-cron`}
        value={trigger?.cron ?? '0 9 * * 1'}
        hint="Minute, hour, day, month and weekday: 0 9 * * 1 is Mondays at 9:00."
        maxlength={100}
        autocomplete="off"
      />
    </div>
    <ZoneField label="Time zone" name="trigger.timeZone" id={`${form}-zone`} value={trigger?.timeZone} />
    <div id={`${form}-times`} aria-live="polite" />
  </fieldset>
)
