import { Form } from '#views/ui/form.tsx'
import { Setting, SettingsSection } from '#views/ui/settings.tsx'
import type { NotificationPreferences } from '#dashboard/types'
import { preferencesPlace, preferencesRoute } from './places.ts'
import { Switch } from './switch.tsx'

const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

const saved = {
  'hx-put': preferencesRoute,
  'hx-trigger': 'change, submit',
  'hx-target': `#${preferencesPlace}`,
  'hx-swap': 'outerMorph',
} as const

export const QuietHours = ({ preferences }: { preferences: NotificationPreferences }) => {
  const { quietHours, quietUntil, timeZone } = preferences
  return (
    <SettingsSection
      id="quiet-hours"
      title="Quiet hours"
      text="Emails and push messages wait. Urgent ones, such as failed posts, are still sent."
    >
      <div class="card">
        <ul class="list" aria-label="Quiet hours">
          <Setting
            icon="moon"
            name="Quiet hours"
            detail={<span safe>{`${timeZone}. What you missed comes as one email at ${quietUntil}.`}</span>}
          >
            <Switch
              label="Quiet hours"
              id="quiet-switch"
              checked={quietHours}
              put={preferencesRoute}
              values={{ quietHours: String(!quietHours) }}
              target={`#${preferencesPlace}`}
            />
          </Setting>
          {quietHours ? <When preferences={preferences} /> : null}
        </ul>
      </div>
    </SettingsSection>
  )
}

const When = ({ preferences: { quietFrom, quietUntil, quietDays } }: { preferences: NotificationPreferences }) => (
  <>
    <Setting name="Hours">
      <Form class="hours" {...saved}>
        <input
          class="input"
          type="time"
          id="quiet-from"
          name="quietFrom"
          value={quietFrom}
          required
          aria-label="From"
        />
        to
        <input
          class="input"
          type="time"
          id="quiet-until"
          name="quietUntil"
          value={quietUntil}
          required
          aria-label="Until"
        />
      </Form>
    </Setting>
    <Setting name="Days" detail="On which they begin">
      <Form {...saved}>
        <div class="days" role="group" aria-label="Days">
          {days.map((day, at) => (
            <label>
              <input
                type="checkbox"
                id={`quiet-day-${at + 1}`}
                name="quietDays[]"
                value={String(at + 1)}
                checked={quietDays.includes(at + 1)}
              />
              <span safe>{day}</span>
            </label>
          ))}
        </div>
        <input type="hidden" name="quietDays[]" value="" />
      </Form>
    </Setting>
  </>
)
