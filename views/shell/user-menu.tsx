import { capitalize } from '#lib/text.ts'
import { Avatar } from '#views/ui/avatar.tsx'
import { Form } from '#views/ui/form.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { Menu, MenuItem, MenuLink } from '#views/ui/menu.tsx'
import type { Shell } from './shell.ts'
import { ThemeChoice } from './theme-choice.tsx'

/** Who is signed in, and the way out. */
export const UserMenu = ({ user, theme, canAdminister }: Pick<Shell, 'user' | 'theme' | 'canAdminister'>) => (
  <>
    <button type="button" class="switcher" popovertarget="user-menu">
      <Avatar name={user.name} seed={user.id} size="lg" />
      <span>
        <strong>
          <span class="visually-hidden">Account: </span>
          <Name user={user} />
        </strong>
        {user.role ? <small safe>{capitalize(user.role)}</small> : null}
      </span>
      <Icon name="chevrons-up-down" />
    </button>
    <Menu id="user-menu">
      <MenuLink label="Settings" icon="settings" href="/settings/profile" />
      {canAdminister ? <MenuLink label="Administration" icon="layout-grid" href="/admin/organizations" /> : null}
      <hr />
      <ThemeChoice chosen={theme} />
      <hr />
      <Form hx-post="/api/auth/logout">
        <MenuItem label="Sign out" icon="log-out" type="submit" />
      </Form>
    </Menu>
  </>
)

const Name = ({ user }: { user: Shell['user'] }) => <span safe>{user.name}</span>
