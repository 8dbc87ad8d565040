import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { AppSwitcher, Places } from './navigation.tsx'
import { opensPalette, Palette } from './palette.tsx'
import type { Shell, Theme } from './shell.ts'
import { UserMenu } from './user-menu.tsx'
import type { Children } from '@kitajs/html'
import { assetUrl } from '#lib/assets.ts'
import { currentNonce } from '#lib/jsx/jsx-runtime.ts'
import { ToastRegion } from '#views/ui/feedback.tsx'

/** Places that fit beside the main action and the menu on a narrow screen. */
const maxQuickPlaces = 3

interface LayoutProps {
  title: string
  content: JSX.Element
  shell: Shell
  screen?: string
}

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

interface DocumentProps {
  title: string
  screens?: string[]
  class?: string
  theme: Theme
  children: Children
}

export const Document = ({ title, screens = [], class: name, theme, children }: DocumentProps) => (
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
        <meta name="htmx-config" content={htmxConfig} />
        <link
          rel="preload"
          href={assetUrl('fonts/geist-latin.woff2')}
          as="font"
          type="font/woff2"
          crossorigin="anonymous"
        />
        <link rel="stylesheet" href={assetUrl('css/app.css')} />
        {screens.map((screen) => (
          <link rel="stylesheet" href={assetUrl(`css/screens/${screen}.css`)} />
        ))}
        <link rel="icon" href={assetUrl('favicon.svg')} type="image/svg+xml" />
        <Scripts />
      </head>
      <body class={name} {...problemToasts}>
        {children}
        <ToastRegion />
      </body>
    </html>
  </>
)

const htmxConfig = JSON.stringify({
  extensions: 'hx-csp',
  includeIndicatorCSS: false,
  // Keeps details open or closed while the page around them reloads.
  morphIgnore: ['data-htmx-powered', 'open'],
  // A closed dialog is refreshed with its page: it would open with earlier values and save them over newer ones.
  morphSkip: 'dialog[open], [hx-morph-skip]',
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

const Scripts = () => (
  <>
    <script src={assetUrl('vendor/htmx.js')} nonce={currentNonce()} defer />
    <script src={assetUrl('js/app.js')} nonce={currentNonce()} type="module" />
  </>
)
