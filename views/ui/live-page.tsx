import type { Children } from '@kitajs/html'

interface LivePageProps {
  id: string
  address: string
  /** `often` reloads every 5 s. */
  topics: string
  children: Children
}

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
