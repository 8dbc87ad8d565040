import type { Workflow } from '#dashboard/types'

export type Step = Workflow['steps'][number]

export const stepLabels: Record<Step['type'], string> = {
  action: 'Raise an action',
  notify: 'Notify people',
  webhook: 'Call a webhook',
}

export const stepTypes = ['action', 'notify', 'webhook'] as const
