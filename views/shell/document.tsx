import type { Children } from '@kitajs/html'
import { assetUrl } from '#lib/assets.ts'
import { currentNonce } from '#lib/jsx/jsx-runtime.ts'
import { ToastRegion } from '#views/ui/toast.tsx'
import type { Theme } from './theme-choice.tsx'

interface DocumentProps {
  title: string
  /** The stylesheets of the screen: files of `public/css/screens` without their ending. */
  screens?: string[]
  class?: string
  theme: Theme
  children: Children
}

/** The whole page: head, scripts and the place of messages. */
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
      <body class={name} {...refused}>
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

/** What is refused outside a form is told in the toast region. */
const refused = {
  'hx-status:4xx:inherited': 'target:#toasts swap:beforeend',
  'hx-status:5xx:inherited': 'target:#toasts swap:beforeend',
}

/** Stands in the page, and first: from a stylesheet, or behind one, it comes too late, and browsers abort with an error. */
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
