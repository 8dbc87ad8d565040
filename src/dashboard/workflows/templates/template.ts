import type { Step, Workflow } from '../contract.ts'
import type { Trigger } from '../triggers/contract.ts'

type Schedule = Omit<Extract<Trigger, { type: 'schedule' }>, 'timeZone'>
type WebhookStep = Omit<Extract<Step, { type: 'webhook' }>, 'url'>

/** The person who uses it chooses the time zone and the URL. */
export interface Template {
  id: string
  name: Workflow['name']
  description: string
  trigger: Extract<Trigger, { type: 'event' }> | Schedule
  steps: readonly (Exclude<Step, { type: 'webhook' }> | WebhookStep)[]
}

export const needsUrl = ({ steps }: Template): boolean => steps.some(({ type }) => type === 'webhook')
