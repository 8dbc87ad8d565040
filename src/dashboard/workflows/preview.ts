import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import type { WorkflowPreview } from './contract.ts'
import { inputOf } from './runs/steps.ts'
import type { WorkflowRow } from './store.ts'
import { exampleData, examplesOf, type Examples } from './triggers/event-fields.ts'

type ExampleCall = Pick<Call<unknown, Actor>, 'webhookEvents' | 'now'>

/** Values of the fields of its trigger. */
export function examplesFor({ webhookEvents, now }: ExampleCall, { trigger }: Pick<WorkflowRow, 'trigger'>): Examples {
  const event = trigger.type === 'event' && webhookEvents.find(({ type }) => type === trigger.event)
  return event ? examplesOf(event) : new Map([['plannedAt', now().toISOString()]])
}

/** What its steps would use at an example event. */
export function previewWorkflow(call: ExampleCall, workflow: Pick<WorkflowRow, 'trigger' | 'steps'>): WorkflowPreview {
  const data = exampleData(examplesFor(call, workflow))
  return { data, steps: workflow.steps.map((step) => ({ type: step.type, input: inputOf(step, data) })) }
}
