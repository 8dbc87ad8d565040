import type { Workflow, WorkflowEvent, WorkflowPerson } from '#dashboard/types'

export interface WorkflowSettingsProps {
  workflow: Workflow
  events: WorkflowEvent[]
  /** Members that its steps can notify. */
  people: WorkflowPerson[]
}
