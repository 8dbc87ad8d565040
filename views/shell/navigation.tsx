import { showProblemIn } from '#views/ui/show-problem.ts'
import { Icon, type IconName } from '#views/ui/icon.tsx'
import { appIcon, Avatar, Badge } from '#views/ui/marks.tsx'
import { Menu, MenuLink } from '#views/ui/overlays.tsx'
import { launching } from '#views/ui/launching.ts'
import type { Shell, ShellApp, ShellPlace } from './shell.ts'

export const AppSwitcher = ({ shell }: { shell: Shell }) => {
  const here = shell.apps.find((app) => isHere(app, shell)) ?? shell.apps.find((app) => hasPlace(app, shell))
  return (
    <>
      <button type="button" class="switcher" popovertarget="apps-menu">
        <AppMark app={here} />
        <span>
          <strong>
            <span class="visually-hidden">App: </span>
            <span safe>{here?.name ?? 'Atrium'}</span>
          </strong>
          <small safe>{shell.organization ?? 'Personal'}</small>
        </span>
        <Icon name="chevrons-up-down" />
      </button>
      <Menu id="apps-menu">
        <h3>Apps</h3>
        <div class="form-problem" id={problemPlace} />
        <AppTiles
          apps={shell.apps.filter(isShown(shell, here))}
          here={here}
          size={shell.tileSize}
          launches={shell.launches}
        />
        {shell.organizations.length > 0 ? (
          <>
            <hr />
            <h3>Organization</h3>
            <Organizations shell={shell} problem={problemPlace} />
          </>
        ) : null}
      </Menu>
    </>
  )
}

const organizationPlace = 'organization-name'

const OrganizationName = ({ name }: { name: string }) => (
  <span id={organizationPlace} safe>
    {name}
  </span>
)

interface MarkedOrganization {
  id: string
  name: string
  logoUrl: string | null
}

const OrganizationMark = ({ organization: { id, name, logoUrl } }: { organization: MarkedOrganization }) => (
  <Avatar name={name} seed={id} image={logoUrl} shape="square" />
)

/** Updates the active organization's name and logo in the frame, after a change of one of them. */
export const ChangedOrganizationInFrame = ({ organization }: { organization: MarkedOrganization }) => (
  <>
    <hx-partial hx-target={`#${organizationPlace}`} hx-swap="outerHTML">
      <OrganizationName name={organization.name} />
    </hx-partial>
    <hx-partial hx-target={`.switcher:has(#${organizationPlace}) > .avatar`} hx-swap="outerHTML">
      <OrganizationMark organization={organization} />
    </hx-partial>
    <hx-partial hx-target="#organizations-menu > button[aria-current] > span" hx-swap="outerHTML">
      <span class="truncate" safe>
        {organization.name}
      </span>
    </hx-partial>
  </>
)

/** The way from an area back to the app where people begin, or to the first one that isn’t an area. */
export const LeaveArea = ({ title, shell: { apps, launches } }: { title: string; shell: Shell }) => {
  const pathsOfApps = [...(launches ? [startApp] : []), mainApp, ownApp]
  const app = pathsOfApps.map((paths) => apps.find(({ webUrl }) => paths.test(webUrl))).find(Boolean)
  return (
    <>
      <a class="switcher" {...(app ? opening(app, launches) : { href: '/' })}>
        <span class="app-mark" data-tone="plain">
          <Icon name="arrow-left" />
        </span>
        <span>
          <strong safe>{title}</strong>
          <small safe>{`Back to ${app?.name ?? 'home'}`}</small>
        </span>
      </a>
      <div class="form-problem" id={problemPlace} />
    </>
  )
}

/** The web URL of an app of this product that isn't an area itself. */
const ownApp = /^\/(?!settings\b|developers\b)/
const startApp = /^\/dashboard\b/
const mainApp = /^\/workspace\b/

/** The organization whose settings are shown, with the others behind it. */
export const OrganizationSwitcher = ({ shell }: { shell: Shell }) => (
  <>
    <button type="button" class="switcher" data-framed popovertarget="organizations-menu">
      <OrganizationMark
        organization={{
          id: shell.organizationId ?? '',
          name: shell.organization ?? '',
          logoUrl: shell.organizationLogo,
        }}
      />
      <span>
        <strong>
          <span class="visually-hidden">Organization: </span>
          <OrganizationName name={shell.organization ?? 'Personal'} />
        </strong>
      </span>
      <Icon name="chevrons-up-down" />
    </button>
    <Menu id="organizations-menu">
      <div class="form-problem" id="organizations-problem" />
      <Organizations shell={shell} problem="organizations-problem" />
      <hr />
      <MenuLink label="All organizations" icon="building-2" href="/settings/workspaces" />
    </Menu>
  </>
)

const problemPlace = 'apps-problem'

const isShown =
  ({ hiddenApps }: Shell, here: ShellApp | undefined) =>
  (app: ShellApp): boolean =>
    app === here || !hiddenApps.includes(app.id)

/** `/settings/profile` belongs to the app at `/settings`. */
const isHere = ({ webUrl }: ShellApp, { path }: Shell): boolean => path.split('/')[1] === webUrl.split('/')[1]

/** Its navigation has the path, such as `/actions` in that of `/dashboard`. */
const hasPlace = ({ webUrl }: ShellApp, { path, places }: Shell): boolean =>
  [path, webUrl].every((url) => places.some(({ href }) => href.split('/')[1] === url.split('/')[1]))

const AppMark = ({ app }: { app?: ShellApp }) => (
  <span class="app-mark">
    <Icon name={appIcon(app?.icon)} />
  </span>
)

interface AppTilesProps {
  apps: ShellApp[]
  here?: ShellApp
  size?: Shell['tileSize']
  launches?: Shell['launches']
}

export const AppTiles = ({ apps, here, size = 'medium', launches = null }: AppTilesProps) => (
  <div class="tiles" data-size={size}>
    {apps.map((app) => (
      <AppLink app={app} current={app === here} launches={launches} />
    ))}
  </div>
)

interface AppLinkProps extends Pick<Shell, 'launches'> {
  app: ShellApp
  current: boolean
}

const AppLink = ({ app, current, launches }: AppLinkProps) => (
  <a aria-current={current ? 'true' : undefined} {...(current ? { href: app.webUrl } : opening(app, launches))}>
    <Icon name={appIcon(app?.icon)} />
    <span safe>{app.name}</span>
    {current ? <Icon name="check" /> : null}
  </a>
)

/** The hand-off comes first; a refusal is shown here (IDN-24). A new tab gets its code from the page. */
const opening = ({ id, href, redirectUri }: ShellApp, launches: Shell['launches']) =>
  launches
    ? {
        href: `${launches.page}/${id}`,
        ...launching({ path: launches.path, app: id, surface: 'switcher', problem: problemPlace }),
      }
    : { href, ...handOff(id, redirectUri) }

const handOff = (id: string, redirectUri: string | null) =>
  redirectUri === null
    ? {}
    : {
        'hx-post': '/sso/handoff-code',
        'hx-vals': JSON.stringify({ service_id: id, redirect_uri: redirectUri }),
        'hx-swap': 'none' as const,
        ...showProblemIn(problemPlace),
      }

const Organizations = ({ shell, problem }: { shell: Shell; problem: string }) => (
  <>
    {shell.organizations.map(({ id, name }) => (
      <Organization
        name={name}
        icon="building-2"
        sends={{ organizationId: id }}
        current={id === shell.organizationId}
        problem={problem}
      />
    ))}
    <Organization
      name="Personal"
      icon="user"
      sends={{ context: 'personal' }}
      current={shell.organizationId === null}
      problem={problem}
    />
  </>
)

interface OrganizationProps {
  name: string
  icon: IconName
  sends: Record<string, string>
  current: boolean
  /** The id of the element that shows why a switch was refused. */
  problem: string
}

const Organization = ({ name, icon, sends, current, problem }: OrganizationProps) => (
  <button
    type="button"
    aria-current={current ? 'true' : undefined}
    hx-post="/api/auth/context"
    hx-vals={JSON.stringify(sends)}
    hx-swap="none"
    {...showProblemIn(problem)}
  >
    <Icon name={icon} />
    <span class="truncate" safe>
      {name}
    </span>
    {current ? <Icon name="check" /> : null}
  </button>
)

interface PlacesProps {
  places: ShellPlace[]
  here: string
  /** Of which the nearest one is marked, when only some are shown. */
  among?: ShellPlace[]
}

export const Places = ({ places, here, among = places }: PlacesProps) => {
  const nearest = among
    .map(({ href, isAlone, also }) => ({ path: pathOf(href), isAlone, also }))
    .filter(
      ({ path, isAlone, also }) => here === path || (!isAlone && here.startsWith(`${path}/`)) || isBelow(here, also),
    )
    .map(({ path }) => path)
    .toSorted((one, other) => other.length - one.length)[0]
  return (
    <>
      {places.map(({ label, icon, href, count }) => (
        <a href={href} aria-current={pathOf(href) === nearest ? (here === nearest ? 'page' : 'true') : undefined}>
          <Icon name={icon} />
          <span safe>{label}</span>
          {count ? <Badge label={count} count /> : null}
        </a>
      ))}
    </>
  )
}

const isBelow = (here: string, path: string | undefined): boolean =>
  path !== undefined && `${here}/`.startsWith(`${path}/`)

/** A page that isn’t in the navigation counts as the nearest one above it. */
const pathOf = (href: string): string => href.split('?')[0] ?? ''
