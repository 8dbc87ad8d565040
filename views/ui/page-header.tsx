import { appIcon } from './marks.tsx'
import type { Children } from '@kitajs/html'
import { Icon } from '#views/ui/icon.tsx'

interface PageHeaderProps {
  title: string
  /** Of the `h1`. */
  id?: string
  /** The pages above this one, the nearest last. */
  crumbs?: { href: string; label: string }[]
  /** Before the title, such as an avatar. */
  mark?: Children
  /** After it, such as a state. */
  status?: Children
  /** Buttons, and the dialogs that they open. */
  children?: Children
}

/** The header of a page, which stays in view. */
export const PageHeader = ({ title, id, crumbs = [], mark, status, children }: PageHeaderProps) => (
  <header class="page-header">
    {crumbs.length > 0 ? (
      <nav class="crumbs" aria-label="Breadcrumb">
        {crumbs.map(({ href, label }, at) => (
          <>
            {at > 0 ? <Icon name="chevron-right" /> : null}
            <a class="wrap-anywhere" href={href} safe>
              {label}
            </a>
          </>
        ))}
      </nav>
    ) : null}
    {mark}
    <h1 id={id} class="wrap-anywhere" safe>
      {title}
    </h1>
    {status}
    {children}
  </header>
)

/** The mark of a third-party app or a service. */
export const PlainAppMark = ({ icon }: { icon?: string | null }) => (
  <span class="app-mark" data-tone="plain">
    <Icon name={appIcon(icon)} />
  </span>
)
