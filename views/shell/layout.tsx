import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { AppSwitcher } from './app-switcher.tsx'
import { Document } from './document.tsx'
import { opensPalette, Palette } from './palette.tsx'
import { Places } from './places.tsx'
import type { Shell } from './shell.ts'
import { UserMenu } from './user-menu.tsx'

/** Places that fit beside the main action and the menu on a narrow screen. */
const maxQuickPlaces = 3

interface LayoutProps {
  title: string
  content: JSX.Element
  shell: Shell
  screen?: string
}

/** The frame of signed-in pages: the sidebar, or bars on narrow screens, and the content. */
export const Layout = ({ title, content, shell, shell: { dialogs }, screen }: LayoutProps) => (
  <Document title={title} screens={screen ? [screen] : []} theme={shell.theme}>
    <a class="skip" href="#main">
      Skip to content
    </a>
    <div class="shell">
      <Topbar shell={shell} />
      <Sidebar shell={shell} />
      <main class="main" id="main" tabindex="-1">
        {content}
      </main>
      <Tabbar shell={shell} />
    </div>
    {dialogs}
    <Palette />
  </Document>
)

/** The main navigation: a column where there is room, else a drawer. */
const Sidebar = ({ shell, shell: { switcher } }: { shell: Shell }) => (
  <nav class="sidebar" id="sidebar" popover aria-label="Main">
    <AppSwitcher shell={shell} />
    {switcher}
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
      <UserMenu user={shell.user} theme={shell.theme} canAdminister={shell.canAdminister} />
    </footer>
  </nav>
)

/** Above the content where the sidebar is a drawer. */
const Topbar = ({ shell }: { shell: Shell }) => (
  <header class="topbar">
    <Button label="Menu" icon="menu" iconOnly variant="ghost" popovertarget="sidebar" />
    <strong class="truncate" safe>
      {shell.selected ?? shell.organization ?? 'Atrium'}
    </strong>
    <Button label="Search" icon="search" iconOnly variant="ghost" {...opensPalette} />
    {shell.primary ? <ButtonLink {...shell.primary} icon="plus" iconOnly variant="ghost" /> : null}
  </header>
)

/** The first places, at the bottom of narrow screens. */
const Tabbar = ({ shell }: { shell: Shell }) => (
  <nav class="tabbar" aria-label="Quick">
    <Places places={shell.places.slice(0, maxQuickPlaces)} here={shell.path} />
    {shell.primary ? (
      <a href={shell.primary.href}>
        <Icon name={shell.primary.icon} />
        <span safe>{shell.primary.label}</span>
      </a>
    ) : null}
    <button type="button" popovertarget="sidebar">
      <Icon name="menu" />
      More
    </button>
  </nav>
)
