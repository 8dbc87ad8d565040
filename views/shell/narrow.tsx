import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { opensPalette } from './palette.tsx'
import { Places } from './places.tsx'
import type { Shell } from './shell.ts'

/** Pages that have room beside the main action and the menu. */
const mostPlaces = 3

/** Stands above the content where the sidebar is a drawer. */
export const Topbar = ({ shell }: { shell: Shell }) => (
  <header class="topbar">
    <Button label="Menu" icon="menu" iconOnly variant="ghost" popovertarget="sidebar" />
    <strong class="truncate" safe>
      {shell.brand?.name ?? shell.organization ?? 'Atrium'}
    </strong>
    <Button label="Search" icon="search" iconOnly variant="ghost" {...opensPalette} />
    {shell.primary ? <ButtonLink {...shell.primary} icon="plus" iconOnly variant="ghost" /> : null}
  </header>
)

/** The chief places at the thumb where it is narrow. */
export const Tabbar = ({ shell }: { shell: Shell }) => (
  <nav class="tabbar" aria-label="Quick">
    <Places places={shell.places.slice(0, mostPlaces)} here={shell.path} />
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
