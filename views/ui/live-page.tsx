import type { Children } from '@kitajs/html'

interface LivePageProps {
  id: string
  /** The page's own URL, from which it reloads. */
  address: string
  /** The topics that make it reload; `often` does every 5 s. */
  topics: string
  children: Children
}

/** The content of a page that reloads when one of its topics changes. */
export const LivePage = ({ id, address, topics, children }: LivePageProps) => (
  <div
    id={id}
    class="page stack"
    style="--measure: 60rem; --gap: var(--space-8)"
    hx-get={address}
    data-live={topics}
    hx-trigger="live"
    hx-target="this"
    hx-select={`#${id}`}
    hx-swap="outerMorph"
  >
    {children}
  </div>
)
