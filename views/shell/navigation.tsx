import { Icon, type IconName } from '#views/ui/icon.tsx'
import { Menu } from '#views/ui/overlays.tsx'
import type { Shell, ShellApp, ShellPlace } from './shell.ts'

export const AppSwitcher = ({ shell }: { shell: Shell }) => {
  const here = shell.apps.find((app) => isHere(app, shell))
  return (
    <>
      <button type="button" class="switcher" popovertarget="apps-menu">
        <AppMark app={here} />
        <span>
          <strong>
            <span class="visually-hidden">App: </span>
            <span safe>{here?.name ?? 'Atrium'}</span>
          </strong>
          <OrganizationName name={shell.organization ?? 'Personal'} />
        </span>
        <Icon name="chevrons-up-down" />
      </button>
      <Menu id="apps-menu">
        <h3>Apps</h3>
        <div class="form-problem" id={problemPlace} />
        <div class="tiles" data-size={shell.tileSize}>
          {shell.apps.filter(isShown(shell, here)).map((app) => (
            <AppLink app={app} current={app === here} />
          ))}
        </div>
        <Workspaces shell={shell} />
      </Menu>
    </>
  )
}

const organizationPlace = 'organization-name'

const OrganizationName = ({ name }: { name: string }) => (
  <small id={organizationPlace} safe>
    {name}
  </small>
)

/** Updates the active organization's name in the frame, after a change of the name. */
export const RenamedOrganizationInFrame = ({ name }: { name: string }) => (
  <>
    <hx-partial hx-target={`#${organizationPlace}`} hx-swap="outerHTML">
      <OrganizationName name={name} />
    </hx-partial>
    <hx-partial hx-target="#apps-menu > button[aria-current] > span" hx-swap="outerHTML">
      <span safe>{name}</span>
    </hx-partial>
  </>
)

/** A refused switch is shown beside what was clicked (IDN-24). */
const problemPlace = 'apps-problem'

const shownHere = {
  'hx-status:4xx': `target:#${problemPlace} swap:innerHTML`,
  'hx-status:5xx': `target:#${problemPlace} swap:innerHTML`,
}

const isShown =
  ({ hiddenApps }: Shell, here: ShellApp | undefined) =>
  (app: ShellApp): boolean =>
    app === here || !hiddenApps.includes(app.id)

/** `/settings/profile` belongs to the app at `/settings`. */
const isHere = ({ webUrl }: ShellApp, { path }: Shell): boolean => path.split('/')[1] === webUrl.split('/')[1]

const AppMark = ({ app }: { app?: ShellApp }) => (
  <span class="app-mark">
    <Icon name={iconOf(app)} />
  </span>
)

/** The hand-off comes first; a refusal is shown here (IDN-24). */
const AppLink = ({ app, current }: { app: ShellApp; current: boolean }) => (
  <a
    href={current ? app.webUrl : app.href}
    aria-current={current ? 'true' : undefined}
    {...(!current && app.redirectUri !== null && handsOff(app))}
  >
    <Icon name={iconOf(app)} />
    <span safe>{app.name}</span>
    {current ? <Icon name="check" /> : null}
  </a>
)

const handsOff = ({ id, redirectUri }: ShellApp) => ({
  'hx-post': '/sso/handoff-code',
  'hx-vals': JSON.stringify({ service_id: id, redirect_uri: redirectUri }),
  'hx-swap': 'none' as const,
  ...shownHere,
})

const Workspaces = ({ shell: { organizations, organizationId } }: { shell: Shell }) =>
  organizations.length === 0 ? (
    <></>
  ) : (
    <>
      <hr />
      <h3>Organization</h3>
      {organizations.map(({ id, name }) => (
        <Workspace name={name} icon="building-2" sends={{ organizationId: id }} current={id === organizationId} />
      ))}
      <Workspace name="Personal" icon="user" sends={{ context: 'personal' }} current={organizationId === null} />
    </>
  )

interface WorkspaceProps {
  name: string
  icon: IconName
  sends: Record<string, string>
  current: boolean
}

const Workspace = ({ name, icon, sends, current }: WorkspaceProps) => (
  <button
    type="button"
    aria-current={current ? 'true' : undefined}
    hx-post="/api/auth/context"
    hx-vals={JSON.stringify(sends)}
    hx-swap="none"
    {...shownHere}
  >
    <Icon name={icon} />
    <span safe>{name}</span>
    {current ? <Icon name="check" /> : null}
  </button>
)

const icons: Record<string, IconName | undefined> = { megaphone: 'megaphone', 'key-round': 'key-round' }

/** The registry can name icons that the sprite doesn't have. */
const iconOf = (app?: ShellApp): IconName => icons[app?.icon ?? ''] ?? 'layout-grid'

interface PlacesProps {
  places: ShellPlace[]
  here: string
}

export const Places = ({ places, here }: PlacesProps) => (
  <>
    {places.map(({ label, icon, href }) => (
      <a href={href} aria-current={current(href, here)}>
        <Icon name={icon} />
        <span safe>{label}</span>
      </a>
    ))}
  </>
)

/** A page below another in the navigation counts as it. */
const current = (href: string, here: string) => {
  const [path = ''] = href.split('?')
  if (here === path) return 'page'
  return here.startsWith(`${path}/`) ? 'true' : undefined
}
