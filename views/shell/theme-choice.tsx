import { Icon, type IconName } from '#views/ui/icon.tsx'

/** The colors that a person chose; undefined follows the system. */
export type Theme = 'light' | 'dark' | undefined

const themes: { theme: Theme; label: string; icon: IconName }[] = [
  { theme: undefined, label: 'System', icon: 'monitor' },
  { theme: 'light', label: 'Light', icon: 'sun' },
  { theme: 'dark', label: 'Dark', icon: 'moon' },
]

/** The choice of colors as three acts of a menu; the page changes at once. */
export const ThemeChoice = ({ chosen }: { chosen: Theme }) => (
  <div role="group" aria-label="Theme">
    <h3 aria-hidden="true">Theme</h3>
    {themes.map(({ theme, label, icon }) => (
      <button
        type="button"
        aria-pressed={String(theme === chosen)}
        data-theme-choice={theme ?? 'system'}
        hx-put="/api/app-switcher/preferences"
        hx-vals={JSON.stringify({ theme: theme ?? 'system' })}
        hx-swap="none"
      >
        <Icon name={icon} />
        <span safe>{label}</span>
        <Icon name="check" />
      </button>
    ))}
  </div>
)
