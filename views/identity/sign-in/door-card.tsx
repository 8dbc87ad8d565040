import type { Children } from '@kitajs/html'
import { Icon } from '#views/ui/icon.tsx'

interface DoorCardProps {
  title: string
  children: Children
}

export const DoorCard = ({ title, children }: DoorCardProps) => (
  <div class="card">
    <header>
      <span class="app-mark" data-size="lg">
        <Icon name="layout-grid" />
      </span>
      <h1 safe>{title}</h1>
    </header>
    {children}
  </div>
)
