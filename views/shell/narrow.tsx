import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { opensPalette } from './palette.tsx'
import { Places } from './places.tsx'
import { brandHref, canWrite, type Shell } from './shell.ts'

const newPost = '/workspace/posts/new'

/** Stands above the content where the sidebar is a drawer. */
export const Topbar = ({ shell }: { shell: Shell }) => (
  <header class="topbar">
    <Button label="Menu" icon="menu" iconOnly variant="ghost" popovertarget="sidebar" />
    <strong class="truncate" safe>
      {shell.brand?.name ?? shell.organization ?? 'Atrium'}
    </strong>
    <Button label="Search" icon="search" iconOnly variant="ghost" {...opensPalette} />
    {canWrite(shell) ? (
      <ButtonLink label="New post" icon="plus" iconOnly variant="ghost" href={brandHref(newPost, shell.brand)} />
    ) : null}
  </header>
)

/** The chief places at the thumb where it is narrow. */
export const Tabbar = ({ shell }: { shell: Shell }) => (
  <nav class="tabbar" aria-label="Quick">
    <Places shell={shell} />
    {canWrite(shell) ? (
      <a href={brandHref(newPost, shell.brand)}>
        <Icon name="pen-line" />
        New post
      </a>
    ) : null}
    <button type="button" popovertarget="sidebar">
      <Icon name="menu" />
      More
    </button>
  </nav>
)
