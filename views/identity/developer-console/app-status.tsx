import type { DeveloperApp } from '#identity/types'
import { Icon, type IconName } from '#views/ui/icon.tsx'

const states = {
  draft: { state: 'draft', icon: 'circle-dashed', word: 'Draft' },
  submitted: { state: 'waiting', icon: 'hourglass', word: 'In review' },
  approved: { state: 'scheduled', icon: 'check', word: 'Approved' },
  rejected: { state: 'failed', icon: 'circle-alert', word: 'Rejected' },
  published: { state: 'published', icon: 'circle-check', word: 'Published' },
} as const satisfies Record<DeveloperApp['status'], { state: string; icon: IconName; word: string }>

export const AppStatus = ({ status }: Pick<DeveloperApp, 'status'>) => (
  <span class="status" data-state={states[status].state}>
    <Icon name={states[status].icon} />
    {states[status].word}
  </span>
)
