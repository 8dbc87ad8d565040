import type { Workflow, WorkflowRun } from '#dashboard/types'
import { counted } from '#lib/text.ts'
import { StatusMark, type StatusLook } from '#views/ui/marks.tsx'

/** Changes with the workflow and its runs. */
export const workflowTopic = (id: string): string => `workflow:${id}`

const ofWorkflow: Record<Workflow['state'], StatusLook> = {
  enabled: { state: 'published', icon: 'circle-check', word: 'Enabled' },
  paused: { state: 'draft', icon: 'pause', word: 'Paused' },
}

const ofRun: Record<WorkflowRun['state'], StatusLook> = {
  waiting: { state: 'waiting', icon: 'hourglass', word: 'Waiting' },
  running: { state: 'sending', icon: 'rotate-cw', word: 'Running' },
  succeeded: { state: 'published', icon: 'circle-check', word: 'Succeeded' },
  failed: { state: 'failed', icon: 'circle-alert', word: 'Failed' },
  cancelled: { state: 'draft', icon: 'circle-slash', word: 'Canceled' },
  skipped: { state: 'draft', icon: 'circle-slash', word: 'Skipped' },
}

export const WorkflowState = ({ state }: Pick<Workflow, 'state'>) => <StatusMark {...ofWorkflow[state]} />

export const RunState = ({ state }: Pick<WorkflowRun, 'state'>) => <StatusMark {...ofRun[state]} />

export const triggerText = ({
  trigger,
  schedule,
  eventSummary,
}: Pick<Workflow, 'trigger' | 'schedule' | 'eventSummary'>): string => {
  if (trigger.type === 'schedule') return `${schedule?.words ?? trigger.cron}, ${trigger.timeZone}`
  const [event, conditions] = [eventSummary ?? trigger.event, trigger.filter.length]
  return conditions === 0 ? event : `${event} (${counted(conditions, 'condition')})`
}
