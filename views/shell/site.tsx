import { assetUrl, elementScripts } from '#lib/assets.ts'
import { currentNonce } from '#lib/jsx/jsx-runtime.ts'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { htmxConfig, ThemeColor } from './layout.tsx'
import type { Theme } from './shell.ts'

interface SiteProps {
  title: string
  description?: string
  content: JSX.Element
  theme: Theme
  /** Of this page; null for one that doesn’t exist. */
  url: URL | null
  /** Without the navigation, which would lead away from it. */
  isCheckout?: boolean
}

/** The frame of public pages. They need no scripts; those of custom elements and of htmx only add to them. */
export const Site = ({ content, url, isCheckout, ...head }: SiteProps) => (
  <>
    {'<!doctype html>'}
    <html lang="en" data-theme={head.theme}>
      <Head {...head} url={url} body={<>{content}</>} />
      <body class="site">
        <a class="skip" href="#main">
          Skip to content
        </a>
        {isCheckout ? <CheckoutHeader /> : <Header path={url?.pathname ?? ''} />}
        <main class="main" id="main" tabindex="-1">
          {content}
        </main>
        {isCheckout ? <CheckoutFooter /> : <Footer />}
      </body>
    </html>
  </>
)

interface HeadProps extends Pick<SiteProps, 'title' | 'description' | 'theme' | 'url'> {
  body: JSX.Element
}

const Head = async ({ title, description, theme, url, body }: HeadProps) => (
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title safe>{`${title} · Atrium`}</title>
    {url && description ? (
      <Shared title={title} description={description} url={url} />
    ) : (
      <meta name="robots" content="noindex" />
    )}
    <ThemeColor theme={theme} />
    <link
      rel="preload"
      href={assetUrl('fonts/geist-latin.woff2')}
      as="font"
      type="font/woff2"
      crossorigin="anonymous"
    />
    <link rel="stylesheet" href={assetUrl('css/site.css')} />
    <link rel="icon" href={assetUrl('favicon.svg')} type="image/svg+xml" />
    <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
    <link rel="manifest" href="/manifest.webmanifest" />
    <Scripts markup={await body} />
  </head>
)

/** Those of the custom elements in this markup, and htmx where it is used. */
const Scripts = ({ markup }: { markup: string }) => {
  const isLive = markup.includes(' hx-')
  const modules = [...(isLive ? [assetUrl('js/app.js')] : []), ...elementScripts(markup)]
  return (
    <>
      {isLive ? <meta name="htmx-config" content={htmxConfig} /> : null}
      {isLive ? <script src={assetUrl('vendor/htmx.js')} nonce={currentNonce()} defer /> : null}
      {modules.map((src) => (
        <script src={src} nonce={currentNonce()} type="module" />
      ))}
    </>
  )
}

/** The address without its query, and what others show of a link to it. */
const Shared = ({ title, description, url }: { title: string; description: string; url: URL }) => {
  const address = url.origin + url.pathname
  return (
    <>
      <meta name="description" content={description} />
      <link rel="canonical" href={address} />
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content="Atrium" />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={address} />
      <meta property="og:image" content={`${url.origin}/icon-512.png`} />
    </>
  )
}

const Brand = () => (
  <a class="row brand" href="/">
    <span class="app-mark">
      <Icon name="layout-grid" />
    </span>
    <strong>Atrium</strong>
  </a>
)

const links = [
  { label: 'Product', href: '/#publish' },
  { label: 'Self-hosting', href: '/#self-host' },
  { label: 'Pricing', href: '/pricing' },
  { label: 'API reference', href: '/openapi' },
  { label: 'Contact', href: '/contact' },
  { label: 'Sign in', href: '/login' },
]

const Header = ({ path }: { path: string }) => (
  <header>
    <Brand />
    <nav id="site-nav" popover="auto" aria-label="Main">
      {links.map(({ label, href }) => (
        <a href={href} aria-current={href === path ? 'page' : undefined} safe>
          {label}
        </a>
      ))}
    </nav>
    <div class="actions">
      <ButtonLink label="Get started" href="/pricing" />
    </div>
    <Button label="Menu" icon="menu" iconOnly variant="ghost" popovertarget="site-nav" />
  </header>
)

const CheckoutHeader = () => (
  <header>
    <Brand />
    <a class="link push" href="/contact">
      Questions? Write to us
    </a>
  </header>
)

const CheckoutFooter = () => (
  <footer data-small>
    <nav aria-label="Legal">
      <a href="/">Atrium</a>
      {legal.map(({ label, href }) => (
        <a href={href} safe>
          {label}
        </a>
      ))}
    </nav>
  </footer>
)

const legal = [
  { label: 'Privacy', href: '/privacy' },
  { label: 'Terms', href: '/terms' },
  { label: 'Imprint', href: '/imprint' },
]

const columns = [
  {
    title: 'Product',
    links: [
      { label: 'Publishing', href: '/#publish' },
      { label: 'Gateway', href: '/#gateway' },
      { label: 'Identity', href: '/#identity' },
      { label: 'Payments', href: '/#payments' },
      { label: 'Pricing', href: '/pricing' },
      { label: 'Coming next', href: '/waitlist' },
    ],
  },
  {
    title: 'Build',
    links: [
      { label: 'API reference', href: '/openapi' },
      { label: 'Self-hosting', href: '/#self-host' },
    ],
  },
  {
    title: 'Talk to us',
    links: [
      { label: 'Book a demo', href: '/demo' },
      { label: 'Contact', href: '/contact' },
      { label: 'Feedback', href: '/feedback' },
    ],
  },
  {
    title: 'Legal',
    links: legal,
  },
]

const Footer = () => (
  <footer>
    <div class="cols">
      <div>
        <Brand />
        <p>Publish, meter, sign in, and get paid. One server, ours or yours.</p>
      </div>
      {columns.map((column) => (
        <nav aria-label={column.title}>
          <h2 safe>{column.title}</h2>
          {column.links.map(({ label, href }) => (
            <a href={href} safe>
              {label}
            </a>
          ))}
        </nav>
      ))}
    </div>
  </footer>
)
