import type { NotificationKindChoice, NotificationPreferences } from '#dashboard/types'
import { Form } from '#views/ui/form.tsx'
import { Setting, SettingsSection } from '#views/ui/settings.tsx'
import { Matrix } from './matrix.tsx'
import { preferencesPlace, preferencesRoute } from './places.ts'
import { QuietHours } from './quiet-hours.tsx'
import { Switch } from './switch.tsx'

interface PreferencesProps {
  preferences: NotificationPreferences
}

/** Each choice is saved at once. */
export const PreferencesView = ({ preferences }: PreferencesProps) => (
  <div id={preferencesPlace} class="settings">
    <SettingsSection id="channels" title="Channels" text="How we reach you.">
      <div class="card">
        <ul class="list" aria-label="Channels">
          <Setting
            icon="mail"
            name="Email"
            detail={
              <span class="wrap-anywhere" safe>
                {preferences.emailAddress}
              </span>
            }
          >
            <Switch
              label="Email"
              id="channel-email"
              checked={preferences.email}
              put={preferencesRoute}
              values={{ email: String(!preferences.email) }}
              target={`#${preferencesPlace}`}
            />
          </Setting>
          {preferences.email ? <Frequency preferences={preferences} /> : null}
          <Setting icon="monitor" name="Push" detail="Messages of this organization in your browsers">
            <Switch
              label="Push"
              id="channel-push"
              checked={preferences.push}
              put={preferencesRoute}
              values={{ push: String(!preferences.push) }}
              target={`#${preferencesPlace}`}
            />
          </Setting>
        </ul>
      </div>
    </SettingsSection>
    <SettingsSection
      id="kinds"
      title="What you hear about"
      text="In-app notifications are listed under Actions until you deal with them."
    >
      <div class="card">
        <Matrix groups={groupsOf(preferences.kinds)} />
      </div>
    </SettingsSection>
    <QuietHours preferences={preferences} />
  </div>
)

function groupsOf(kinds: readonly NotificationKindChoice[]): [string, NotificationKindChoice[]][] {
  const groups = new Map<string, NotificationKindChoice[]>()
  for (const kind of kinds) groups.set(kind.group, [...(groups.get(kind.group) ?? []), kind])
  return [...groups]
}

const frequencies = [
  { value: 'immediate', label: 'At once' },
  { value: 'hourly', label: 'Every hour' },
  { value: 'daily', label: 'Once a day' },
]

const Frequency = ({ preferences: { frequency, dailyAt } }: PreferencesProps) => (
  <Setting name="How often" for="frequency" detail="Urgent ones are always sent at once.">
    <Form
      class="row"
      data-wrap
      hx-put={preferencesRoute}
      hx-trigger="change, submit"
      hx-target={`#${preferencesPlace}`}
      hx-swap="outerMorph"
    >
      <select class="input" id="frequency" name="frequency">
        {frequencies.map(({ value, label }) => (
          <option value={value} selected={value === frequency} safe>
            {label}
          </option>
        ))}
      </select>
      {frequency === 'daily' ? (
        <input
          class="input"
          type="time"
          id="daily-at"
          name="dailyAt"
          value={dailyAt}
          required
          aria-label="Time of the daily email"
        />
      ) : null}
    </Form>
  </Setting>
)
