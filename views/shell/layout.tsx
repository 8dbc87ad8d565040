import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { AppSwitcher, LeaveArea, OrganizationSwitcher, Places } from './navigation.tsx'
import { opensPalette, Palette } from './palette.tsx'
import type { Shell, ShellArea, Theme } from './shell.ts'
import { UserMenu } from './user-menu.tsx'
import type { Children } from '@kitajs/html'
import { assetUrl, elementScripts } from '#lib/assets.ts'
import { currentNonce } from '#lib/jsx/jsx-runtime.ts'
import { ToastRegion } from '#views/ui/feedback.tsx'

/** Places that fit next to the menu on a narrow screen, the main action among them. */
const maxQuickPlaces = 4

interface LayoutProps {
  title: string
  content: JSX.Element
  shell: Shell
  screen?: string
  /** Drawn by the content. */
  header?: 'own'
}

const PageHeader = ({ title }: { title: string }) => (
  <header class="page-header">
    <h1 class="wrap-anywhere" safe>
      {title}
    </h1>
  </header>
)

interface ShellProps {
  shell: Shell
}

/** The frame of signed-in pages: the sidebar, or bars on narrow screens, and the content. */
export const Layout = ({ title, content, shell, shell: { area, dialogs }, screen, header }: LayoutProps) => (
  <Document
    title={titleIn(shell, title)}
    screens={[...(area ? ['settings'] : []), ...(screen?.split(' ') ?? [])]}
    theme={shell.theme}
    isPrivate
    hasWorker={shell.hasWorker}
  >
    <a class="skip" href="#main">
      Skip to content
    </a>
    <div class="shell">
      <Topbar shell={shell} />
      <Sidebar shell={shell} />
      <main class="main" id="main" tabindex="-1">
        {area && !header ? <PageHeader title={title} /> : null}
        {content}
      </main>
      <Tabbar shell={shell} />
    </div>
    {dialogs}
    <Palette />
  </Document>
)

const titleIn = ({ area, selected, organization }: Shell, title: string): string =>
  [...new Set([title, area?.title, (!area && selected) || organization])].filter(Boolean).join(' · ')

/** The main navigation: a column where there is room, else a drawer. */
const Sidebar = ({ shell, shell: { area } }: ShellProps) => (
  <nav class="sidebar" id="sidebar" popover aria-label={area?.title ?? 'Main'}>
    {area ? <AreaNavigation shell={shell} area={area} /> : <AppNavigation shell={shell} />}
    <footer>
      <button type="button" class="switcher" {...opensPalette}>
        <span class="row muted">
          <Icon name="search" />
          Search
        </span>
        <kbd data-shortcut>Ctrl K</kbd>
      </button>
      <UserMenu {...shell} />
    </footer>
  </nav>
)

const AppNavigation = ({ shell, shell: { switcher, primary, places, path } }: ShellProps) => (
  <>
    <AppSwitcher shell={shell} />
    {switcher}
    {primary ? <ButtonLink {...primary} variant="primary" block /> : null}
    <div class="nav">
      <Places places={places} here={path} />
    </div>
  </>
)

const AreaNavigation = ({ shell, shell: { path }, area }: ShellProps & { area: ShellArea }) => (
  <>
    {area.isApp ? <AppSwitcher shell={shell} /> : <LeaveArea title={area.title} shell={shell} />}
    {area.groups.map(({ title, hasOrganizations, places }) => (
      <div class="nav">
        {title ? <h2 safe>{title}</h2> : null}
        {hasOrganizations ? <OrganizationSwitcher shell={shell} /> : null}
        <Places places={places} here={path} />
      </div>
    ))}
  </>
)

/** Above the content where the sidebar is a drawer. */
const Topbar = ({ shell }: ShellProps) => (
  <header class="topbar">
    <Button label="Menu" icon="menu" iconOnly variant="ghost" popovertarget="sidebar" />
    <strong class="truncate" safe>
      {shell.area?.title ?? shell.selected ?? shell.organization ?? 'Atrium'}
    </strong>
    <Button label="Search" icon="search" iconOnly variant="ghost" {...opensPalette} />
    {shell.primary ? <ButtonLink {...shell.primary} icon="plus" iconOnly variant="ghost" /> : null}
  </header>
)

/** The first places, at the bottom of narrow screens. */
const Tabbar = ({ shell: { area, places, primary, path } }: ShellProps) => {
  const isPrimary = primary?.href.split('?')[0] === path
  return (
    <nav class="tabbar" aria-label="Quick">
      <Places
        places={(area?.quick ?? places).slice(0, primary ? maxQuickPlaces - 1 : maxQuickPlaces)}
        here={isPrimary ? '' : path}
        among={area?.groups.flatMap((group) => group.places) ?? places}
      />
      {primary ? (
        <a href={primary.href} aria-current={isPrimary ? 'page' : undefined}>
          <Icon name={primary.icon} />
          <span safe>{primary.label}</span>
        </a>
      ) : null}
      <button type="button" popovertarget="sidebar">
        <Icon name="menu" />
        More
      </button>
    </nav>
  )
}

interface DocumentProps {
  title: string
  screens?: string[]
  class?: string
  theme: Theme
  /** Not for search engines. */
  isPrivate?: boolean
  /** Where the launchpad can be installed. */
  hasWorker?: boolean
  children: Children
}

export const Document = ({
  title,
  screens = [],
  class: name,
  theme,
  isPrivate,
  hasWorker,
  children,
}: DocumentProps) => (
  <>
    {'<!doctype html>'}
    <html lang="en" data-theme={theme}>
      <head>
        <meta charset="utf-8" />
        <PageTransition />
        <script src={assetUrl('js/early-input.js')} nonce={currentNonce()} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title safe>{`${title} · Atrium`}</title>
        <meta name="description" content="Schedule and publish your brands’ social media posts, exactly once." />
        {isPrivate ? <meta name="robots" content="noindex" /> : null}
        <ThemeColor theme={theme} />
        {hasWorker ? <meta name="service-worker" content="/service-worker.js" /> : null}
        <meta name="htmx-config" content={htmxConfig} />
        <link
          rel="preload"
          href={assetUrl('fonts/geist-latin.woff2')}
          as="font"
          type="font/woff2"
          crossorigin="anonymous"
        />
        <WholePage />
        <link rel="stylesheet" href={assetUrl('css/app.css')} />
        {screens.map((screen) => (
          <link rel="stylesheet" href={assetUrl(`css/screens/${screen}.css`)} />
        ))}
        <link rel="icon" href={assetUrl('favicon.svg')} type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <link rel="manifest" href="/manifest.webmanifest" />
        <Scripts body={<>{children}</>} />
      </head>
      <body class={name} {...problemToasts}>
        {children}
        <ToastRegion />
      </body>
    </html>
  </>
)

/** `--background`, for the browser's own bars. */
const themeColors = { light: '#ffffff', dark: '#111517' }

export const ThemeColor = ({ theme }: { theme: Theme }) =>
  theme ? (
    <meta name="theme-color" content={themeColors[theme]} />
  ) : (
    <>
      <meta name="theme-color" content={themeColors.light} media="(prefers-color-scheme: light)" />
      <meta name="theme-color" content={themeColors.dark} media="(prefers-color-scheme: dark)" />
    </>
  )

export const htmxConfig = JSON.stringify({
  extensions: 'hx-csp',
  includeIndicatorCSS: false,
  // Keeps details open or closed while the page around them reloads.
  morphIgnore: ['data-htmx-powered', 'open'],
  // A closed dialog is refreshed with its page: it would open with earlier values and save them over newer ones.
  morphSkip: 'dialog[open], [hx-trigger=open]:popover-open, [hx-morph-skip]',
})

/** A refusal outside a form is shown in the toast region. */
const problemToasts = {
  'hx-status:4xx:inherited': 'target:#toasts swap:beforeend',
  'hx-status:5xx:inherited': 'target:#toasts swap:beforeend',
}

/** In the page, and first: from a stylesheet, or after one, it comes too late, and browsers abort with an error. */
const PageTransition = () => (
  <style nonce={currentNonce()}>
    {'@media (prefers-reduced-motion: no-preference) { @view-transition { navigation: auto; } }'}
  </style>
)

/** Nothing is drawn before the last element arrives, since half of a centered page would move when the rest follows. */
const WholePage = () => <link rel="expect" href="#toasts" blocking="render" />

/** The elements of the page are loaded with it, since `early-input.js` repeats early input once all scripts have run. */
const Scripts = async ({ body }: { body: JSX.Element }) => (
  <>
    <script src={assetUrl('vendor/htmx.js')} nonce={currentNonce()} defer />
    {[assetUrl('js/app.js'), ...elementScripts(await body)].map((src) => (
      <script src={src} nonce={currentNonce()} type="module" />
    ))}
  </>
)
