import { ButtonLink } from '#views/ui/button.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { AppSwitcher } from './app-switcher.tsx'
import { BrandSwitcher } from './brand-switcher.tsx'
import { opensPalette } from './palette.tsx'
import { Places } from './places.tsx'
import { brandHref, canWrite, type Shell } from './shell.ts'
import { UserMenu } from './user-menu.tsx'

/** The main navigation: a column where there is room, else a drawer. */
export const Sidebar = ({ shell }: { shell: Shell }) => (
  <nav class="sidebar" id="sidebar" popover aria-label="Main">
    <AppSwitcher shell={shell} />
    <BrandSwitcher shell={shell} />
    {canWrite(shell) ? (
      <ButtonLink
        label="New post"
        icon="pen-line"
        variant="primary"
        block
        href={brandHref('/workspace/posts/new', shell.brand)}
      />
    ) : null}
    <div class="nav">
      <Places shell={shell} />
    </div>
    <footer>
      <button type="button" class="switcher" {...opensPalette}>
        <span class="row muted">
          <Icon name="search" />
          Search
        </span>
        <kbd data-shortcut>Ctrl K</kbd>
      </button>
      <UserMenu user={shell.user} theme={shell.theme} may={shell.may} />
    </footer>
  </nav>
)
