import { Avatar } from '#views/ui/avatar.tsx'
import { Form } from '#views/ui/form.tsx'
import { Icon, type IconName } from '#views/ui/icon.tsx'

const palette = 'palette'

/** What opens the palette. */
export const opensPalette = { commandfor: palette, command: 'show-modal' }

/** The command palette: empty until it is opened, by its buttons or Ctrl-K. */
export const Palette = () => (
  <dialog class="dialog palette" id={palette} aria-label="Search and commands" closedby="any" hx-morph-skip="">
    <command-palette>
      <Form hx-get="/api/search" {...asking}>
        <label class="input">
          <Icon name="search" />
          <input
            type="search"
            name="q"
            role="combobox"
            aria-label="Find a page, brand, post, person or act"
            aria-autocomplete="list"
            aria-expanded="true"
            aria-controls="palette-found"
            placeholder="Find a page, brand, post, person or act"
            autocomplete="off"
            autocapitalize="none"
            spellcheck="false"
            maxlength={100}
            autofocus
          />
          <kbd>Esc</kbd>
        </label>
      </Form>
      <div id="palette-answer">
        <div class="menu" id="palette-found" role="listbox" aria-label="Found" />
      </div>
      <footer aria-hidden="true">
        <span>
          <kbd>↑</kbd> <kbd>↓</kbd> move
        </span>
        <span>
          <kbd>Enter</kbd> open
        </span>
      </footer>
    </command-palette>
  </dialog>
)

const asking = {
  'hx-trigger': 'input delay:100ms',
  'hx-target': '#palette-answer',
  'hx-swap': 'innerHTML',
  'hx-sync': 'this:replace',
} as const

/** Something to open or do. */
export interface Found {
  kind: 'page' | 'act' | 'brand' | 'person' | 'post'
  id: string | null
  label: string
  detail: string | null
  href: string | null
  sends: { route: string; body: Record<string, string> } | null
}

const groups = [
  { kind: 'page', title: 'Go to' },
  { kind: 'act', title: 'Actions' },
  { kind: 'brand', title: 'Brands' },
  { kind: 'person', title: 'People' },
  { kind: 'post', title: 'Posts' },
] as const

/** What was found, kind by kind. */
export const PaletteFound = ({ found, asked }: { found: Found[]; asked: string }) => (
  <>
    <div class="menu" id="palette-found" role="listbox" aria-label="Found">
      {groups.map(({ kind, title }) => (
        <Group title={title} found={found.filter((each) => each.kind === kind)} />
      ))}
    </div>
    <p role="status" class={found.length > 0 ? 'visually-hidden' : 'nothing'} safe>
      {found.length > 0 ? `${found.length} found` : `Nothing has “${asked}” in it.`}
    </p>
  </>
)

const Group = ({ title, found }: { title: string; found: Found[] }) =>
  found.length === 0 ? (
    <></>
  ) : (
    <div role="group" aria-label={title}>
      <h3 aria-hidden="true" safe>
        {title}
      </h3>
      {found.map((each) => (
        <Option found={each} />
      ))}
    </div>
  )

const Option = ({ found }: { found: Found }) => {
  const option = { role: 'option', tabindex: -1, 'aria-selected': 'false' } as const
  const { href, sends } = found
  if (href !== null)
    return (
      <a {...option} id={optionId(href)} href={href}>
        <Face found={found} />
      </a>
    )
  return (
    <button {...option} id={optionId(found.label)} type="button" hx-swap="none" {...sent(sends)}>
      <Face found={found} />
    </button>
  )
}

const optionId = (of: string): string => `found-${Bun.hash(of).toString(36)}`

/** htmx's words for what an act sends. */
function sent(sends: Found['sends']) {
  const [method = 'POST', path = ''] = sends?.route.split(' ') ?? []
  return {
    [`hx-${method.toLowerCase()}`]: path,
    'hx-vals': JSON.stringify(sends?.body ?? {}),
    'data-theme-choice': sends?.body['theme'],
  }
}

const Face = ({ found: { kind, id, label, detail, href } }: { found: Found }) => (
  <>
    {kind === 'brand' || kind === 'person' ? (
      <Avatar name={label} seed={id ?? label} shape={kind === 'brand' ? 'brand' : undefined} />
    ) : (
      <Icon name={iconOf({ kind, id, label, href })} />
    )}
    <span class="grow truncate" safe>
      {label}
    </span>
    {detail ? (
      <small class="muted truncate" safe>
        {detail}
      </small>
    ) : null}
  </>
)

function iconOf({ kind, id, label, href }: Pick<Found, 'kind' | 'id' | 'label' | 'href'>): IconName {
  if (kind === 'post') return id ? 'list' : 'search'
  if (href?.startsWith('/settings/')) return 'settings'
  return icons[href ?? label] ?? 'chevron-right'
}

const icons: Record<string, IconName | undefined> = {
  '/workspace/posts': 'list',
  '/workspace/posts/new': 'pen-line',
  '/workspace/accounts': 'plug',
  '/workspace/brands': 'megaphone',
  '/workspace/brands#new-brand': 'plus',
  'Light theme': 'sun',
  'Dark theme': 'moon',
  'System theme': 'monitor',
  'Sign out': 'log-out',
}
