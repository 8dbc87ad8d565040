import type { SearchResult, NamedKind } from '#lib/search.ts'
import { Avatar } from '#views/ui/marks.tsx'
import { Form } from '#views/ui/form.tsx'
import { Icon, type IconName } from '#views/ui/icon.tsx'

const palette = 'palette'

export const opensPalette = { commandfor: palette, command: 'show-modal' }

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
            aria-label="Search"
            aria-autocomplete="list"
            aria-expanded="true"
            aria-controls="palette-found"
            placeholder="Search or jump to…"
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
        <div class="menu" id="palette-found" role="listbox" aria-label="Results" />
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

interface PaletteFoundProps {
  found: SearchResult[]
  query: string
  kinds: readonly NamedKind[]
  /** By the result's `href`, or by its `label` or route where it has none. */
  icons: ReadonlyMap<string, IconName>
}

export const PaletteFound = ({ found, query, kinds, icons }: PaletteFoundProps) => (
  <>
    <div class="menu" id="palette-found" role="listbox" aria-label="Results">
      {kinds.map((kind) => (
        <Group kind={kind} found={found.filter((each) => each.kind === kind.name)} icons={icons} />
      ))}
    </div>
    <p role="status" class={found.length > 0 ? 'visually-hidden' : 'nothing'} safe>
      {found.length > 0 ? `${found.length} ${found.length === 1 ? 'result' : 'results'}` : `No results for “${query}”`}
    </p>
  </>
)

interface GroupProps extends Pick<PaletteFoundProps, 'found' | 'icons'> {
  kind: NamedKind
}

const Group = ({ kind, found, icons }: GroupProps) =>
  found.length === 0 ? (
    <></>
  ) : (
    <div role="group" aria-label={kind.title}>
      <h3 aria-hidden="true" safe>
        {kind.title}
      </h3>
      {found.map((each) => (
        <Option found={each}>
          {kind.avatar && each.id !== null ? (
            <Avatar name={each.label} seed={each.id} shape={kind.avatar} />
          ) : (
            <Icon name={iconOf(each, icons) ?? (isSearch(each) ? 'search' : kind.icon)} />
          )}
        </Option>
      ))}
    </div>
  )

const iconOf = ({ href, label, sends }: SearchResult, icons: GroupProps['icons']): IconName | undefined =>
  icons.get(href ?? label) ?? icons.get(sends?.route ?? '')

/** A link to a list's own search, not an object. */
const isSearch = ({ id, href }: SearchResult): boolean => id === null && href?.includes('?q=') === true

const Option = ({ found, children }: { found: SearchResult; children: JSX.Element }) => {
  const option = { role: 'option', tabindex: -1, 'aria-selected': 'false' } as const
  const { href, label, detail, sends } = found
  if (href !== null)
    return (
      <a {...option} id={optionId(href)} href={href}>
        {children}
        <Words found={found} />
      </a>
    )
  return (
    <button {...option} id={optionId(`${label} ${detail ?? ''}`)} type="button" hx-swap="none" {...sent(sends)}>
      {children}
      <Words found={found} />
    </button>
  )
}

const optionId = (of: string): string => `found-${Bun.hash(of).toString(36)}`

function sent(sends: SearchResult['sends']) {
  const [method = 'POST', path = ''] = sends?.route.split(' ') ?? []
  return {
    [`hx-${method.toLowerCase()}`]: path,
    'hx-vals': JSON.stringify(sends?.body ?? {}),
    'data-theme-choice': sends?.body['theme'],
  }
}

const Words = ({ found: { label, detail } }: { found: SearchResult }) => (
  <>
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
