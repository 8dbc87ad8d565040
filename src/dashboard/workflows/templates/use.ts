import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { invalid, notFound } from '#lib/errors.ts'
import { readableEvents } from '#lib/outgoing-webhooks/permissions.ts'
import type { WorkflowDraft } from '../contract.ts'
import type { TemplateUse, WorkflowTemplate } from './contract.ts'
import { eventTemplates } from './of-events.ts'
import { scheduleTemplates } from './of-schedules.ts'
import { needsUrl, type Template } from './template.ts'

const templates: readonly Template[] = [...eventTemplates, ...scheduleTemplates]

type TemplateCall = Pick<Call<unknown, Actor>, 'actor' | 'identity' | 'webhookEvents'>

/** Those whose event this product has. */
export async function describeTemplates(call: TemplateCall, canCreate: boolean): Promise<WorkflowTemplate[]> {
  const isWhole = call.actor.bindings.length === 0
  const readable = new Set<string>((await readableEvents(call, call.webhookEvents)).map(({ type }) => type))
  const offered = new Set<string>(call.webhookEvents.map(({ type }) => type))
  return templates.flatMap((template) => {
    const { id, name, description, trigger, steps } = template
    const event = trigger.type === 'event' ? trigger.event : null
    if (event !== null && !offered.has(event)) return []
    const use = isWhole && canCreate && (event === null || readable.has(event))
    return {
      id,
      name,
      description,
      event,
      needsUrl: needsUrl(template),
      can: { use },
      cron: trigger.type === 'schedule' ? trigger.cron : null,
      steps: steps.map(({ type }) => type),
    }
  })
}

/** @throws {Problem} 404, 422 without a URL for its webhook */
export function draftOf({ template: id, name, timeZone, url }: TemplateUse): WorkflowDraft {
  const template = templates.find((each) => each.id === id)
  if (!template) throw notFound('template')
  if (needsUrl(template) && url === undefined) throw invalid([{ path: 'url', message: 'Enter a URL.' }])
  const { trigger, steps } = template
  return {
    name: name ?? template.name,
    trigger: trigger.type === 'schedule' ? { ...trigger, timeZone } : trigger,
    steps: steps.map((step) => (step.type === 'webhook' ? { ...step, url: url ?? '' } : step)),
  }
}
