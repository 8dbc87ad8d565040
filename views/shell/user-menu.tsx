import { capitalize } from '#lib/text.ts'
import { Avatar } from '#views/ui/marks.tsx'
import { Form } from '#views/ui/form.tsx'
import { Icon, type IconName } from '#views/ui/icon.tsx'
import { Menu, MenuItem, MenuLink } from '#views/ui/overlays.tsx'
import type { Shell, Theme } from './shell.ts'

export const UserMenu = ({
  user,
  theme,
  path,
  canAdminister,
}: Pick<Shell, 'user' | 'theme' | 'path' | 'canAdminister'>) => (
  <>
    <button type="button" class="switcher" popovertarget="user-menu">
      <Avatar name={user.name} seed={user.id} size="lg" />
      <span>
        <strong>
          <span class="visually-hidden">Account: </span>
          <span id={namePlace} safe>
            {user.name}
          </span>
        </strong>
        <small safe>{canAdminister && path.startsWith('/admin/') ? 'Super admin' : capitalize(user.role ?? '')}</small>
      </span>
      <Icon name="chevrons-up-down" />
    </button>
    <Menu id="user-menu">
      <MenuLink label="Settings" icon="settings" href="/settings" />
      {canAdminister ? <MenuLink label="Administration" icon="shield-check" href="/admin/organizations" /> : null}
      <hr />
      <ThemeChoice chosen={theme} />
      <hr />
      <Form hx-post="/api/auth/logout" data-person={user.id}>
        <MenuItem label="Sign out" icon="log-out" type="submit" />
      </Form>
    </Menu>
  </>
)

const namePlace = 'user-name'

export const RenamedUser = ({ user }: { user: Pick<Shell['user'], 'id' | 'name'> }) => (
  <>
    <hx-partial hx-target={`#${namePlace}`} hx-swap="innerHTML">
      <span safe>{user.name}</span>
    </hx-partial>
    <hx-partial hx-target={`.switcher:has(#${namePlace}) > .avatar`} hx-swap="outerHTML">
      <Avatar name={user.name} seed={user.id} size="lg" />
    </hx-partial>
  </>
)

const themes: { theme: Theme; label: string; icon: IconName }[] = [
  { theme: undefined, label: 'System', icon: 'monitor' },
  { theme: 'light', label: 'Light', icon: 'sun' },
  { theme: 'dark', label: 'Dark', icon: 'moon' },
]

/** The page changes at once. */
const ThemeChoice = ({ chosen }: { chosen: Theme }) => (
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
