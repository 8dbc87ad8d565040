import type { Workflow } from '#dashboard/types'
import { counted } from '#lib/text.ts'

export type Step = Workflow['steps'][number]

export const stepLabels: Record<Step['type'], string> = {
  action: 'Raise an action',
  notify: 'Notify people',
  webhook: 'Call a webhook',
}

export const roles = [
  { value: 'viewer', label: 'All members' },
  { value: 'editor', label: 'Editors and above' },
  { value: 'admin', label: 'Admins and owners' },
  { value: 'owner', label: 'Owners' },
]

/** What a list shows below a step's title. */
export function stepText(step: Step): string {
  const label = stepLabels[step.type]
  if (step.type === 'action' && step.dueInHours !== undefined)
    return `${label}, due after ${counted(step.dueInHours, 'hour')}`
  return step.type === 'notify' ? `${label}: ${audienceText(step)}` : label
}

function audienceText({ role, people, chat }: Extract<Step, { type: 'notify' }>): string {
  const label = roles.find(({ value }) => value === role)?.label ?? role
  if (label !== undefined) return chat === true ? `${label}, and the chat` : label
  return people.length === 0 ? 'no one, since its members left' : counted(people.length, 'member')
}

export const stepTypes = ['action', 'notify', 'webhook'] as const
