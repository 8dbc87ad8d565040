import type { Preferences } from '#identity/types'
import { automaticZone, Form, ZoneChoice } from '#views/ui/form.tsx'
import { Setting, SettingsSection } from '#views/ui/settings.tsx'
import { timeText, viewerZone } from '#views/ui/time.tsx'

export interface PreferencesProps {
  preferences: Preferences
  now: Date
}

const place = 'preferences'
const address = '/api/app-switcher/preferences'

/** Each choice is saved at once. */
export const PreferencesSection = ({ preferences, now }: PreferencesProps) => (
  <SettingsSection id={place} title="Preferences" text="Only for you. Saved as you choose.">
    <div class="card">
      <ul class="list" aria-label="Preferences">
        <Setting name="Theme">
          <ThemeSegments chosen={preferences.theme} />
        </Setting>
        <Setting
          name="Time zone"
          for="time-zone"
          detail={
            <span
              safe
            >{`It’s ${timeText(now, preferences.timeZone ?? viewerZone(), 'time')} there. Brands keep their own time zone.`}</span>
          }
        >
          <Saved>
            <ZoneChoice id="time-zone" name="timeZone" value={preferences.timeZone ?? automaticZone} canBeAutomatic />
          </Saved>
        </Setting>
        <Setting name="Language of dates" for="date-language" detail="Pages are in English.">
          <Choice id="date-language" name="language" options={languages(now)} value={preferences.language ?? 'en-GB'} />
        </Setting>
        <Setting name="Clock" for="clock">
          <Choice id="clock" name="hourCycle" options={clocks} value={preferences.hourCycle ?? 'system'} />
        </Setting>
      </ul>
    </div>
  </SettingsSection>
)

/** A choice that saves itself; an error is shown above it. */
const Saved = ({ children }: { children: JSX.Element }) => (
  <Form hx-put={address} hx-trigger="change, submit" hx-target={`#${place}`} hx-swap="outerMorph">
    {children}
  </Form>
)

interface ChoiceProps {
  id: string
  name: string
  options: { value: string; label: string }[]
  value: string
}

const Choice = ({ id, name, options, value: chosen }: ChoiceProps) => (
  <Saved>
    <select class="input" id={id} name={name}>
      {options.map(({ value, label }) => (
        <option value={value} selected={value === chosen} safe>
          {label}
        </option>
      ))}
    </select>
  </Saved>
)

const languageNames = {
  'en-GB': 'English (UK)',
  'en-US': 'English (US)',
  'de-DE': 'Deutsch',
  'es-ES': 'Español',
  'fr-FR': 'Français',
}

const languages = (now: Date) =>
  Object.entries(languageNames).map(([value, name]) => {
    const format = new Intl.DateTimeFormat(value, { dateStyle: 'medium', timeZone: 'UTC' })
    return { value, label: `${format.format(now)}, ${name}` }
  })

const clocks = [
  { value: 'system', label: 'Automatic' },
  { value: 'h23', label: '24-hour (14:30)' },
  { value: 'h12', label: '12-hour (2:30 PM)' },
]

const themes = [
  { theme: 'system', label: 'System' },
  { theme: 'light', label: 'Light' },
  { theme: 'dark', label: 'Dark' },
]

const ThemeSegments = ({ chosen = 'system' }: { chosen?: string }) => (
  <div class="segments" role="group" aria-label="Theme">
    {themes.map(({ theme, label }) => (
      <button
        type="button"
        aria-pressed={String(theme === chosen)}
        data-theme-choice={theme}
        hx-put={address}
        hx-vals={JSON.stringify({ theme })}
        hx-swap="none"
        safe
      >
        {label}
      </button>
    ))}
  </div>
)
