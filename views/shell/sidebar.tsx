import { ButtonLink } from '#views/ui/button.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { AppSwitcher } from './app-switcher.tsx'
import { BrandSwitcher } from './brand-switcher.tsx'
import { opensPalette } from './palette.tsx'
import { Places } from './places.tsx'
import type { Shell } from './shell.ts'
import { UserMenu } from './user-menu.tsx'

/** The main navigation: a column where there is room, else a drawer. */
export const Sidebar = ({ shell }: { shell: Shell }) => (
  <nav class="sidebar" id="sidebar" popover aria-label="Main">
    <AppSwitcher shell={shell} />
    <BrandSwitcher brands={shell.brands} brand={shell.brand} can={{ createBrand: shell.may.writeBrands }} />
    {shell.primary ? <ButtonLink {...shell.primary} variant="primary" block /> : null}
    <div class="nav">
      <Places places={shell.places} here={shell.path} />
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
