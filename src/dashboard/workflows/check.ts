import type { Actor } from '#lib/actor.ts'
import { isAllowed, organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { forbidden, invalid, type FieldError } from '#lib/errors.ts'
import type { OfferedEvent } from '#lib/outgoing-webhooks/event.ts'
import { readableEvents, wholeOrganizationNeeded } from '#lib/outgoing-webhooks/permissions.ts'
import { urlProblem } from '#lib/outgoing-webhooks/url.ts'
import { Href } from '#lib/raised-actions.ts'
import type { Step, Trigger, WorkflowDraft } from './contract.ts'
import { fieldsOf, scheduleFields } from './event-fields.ts'
import { scheduleProblem } from './schedule.ts'
import { fillHref, hasFixedHost, templateProblem } from './template.ts'

type CheckCall = Pick<Call<unknown, Actor>, 'actor' | 'identity' | 'webhookEvents' | 'outbound' | 'config' | 'now'>

/** @throws {Problem} 403 for roles and keys that are limited to part of the organization */
export function wholeOrganizationOf(actor: Actor, permission: 'workflows:read' | 'workflows:write'): string {
  if (actor.bindings.length > 0) throw wholeOrganizationNeeded(permission)
  return organizationOf(actor, permission)
}

/** Whether pages offer changes. */
export const canWrite = async ({
  actor,
  identity,
}: Pick<Call<unknown, Actor>, 'actor' | 'identity'>): Promise<boolean> =>
  isAllowed(actor, 'workflows:write', await identity.serviceId('platform-dashboard-api'))

/** @throws {Problem} 403 that names the permission of an event that the caller can't read */
export async function requireReadable(call: CheckCall, type: string | null): Promise<void> {
  const event = call.webhookEvents.find((each) => each.type === type)
  if (event && !(await readableEvents(call, [event])).includes(event)) throw forbidden(event.permission)
}

/** @throws {Problem} 422 for each wrong field, and 403 for an event that the caller can't read */
export async function checkWorkflow(
  call: CheckCall,
  { trigger, steps }: Pick<WorkflowDraft, 'trigger' | 'steps'>,
): Promise<void> {
  const event = trigger.type === 'event' ? eventOf(call.webhookEvents, trigger.event) : null
  if (event) await requireReadable(call, event.type)
  const fields = event ? fieldsOf(event) : scheduleFields
  const errors = [
    ...triggerErrors(call, trigger, fields),
    ...(await Promise.all(steps.map((step, at) => stepErrors(call, step, `steps.${at}`, fields)))).flat(),
  ]
  if (errors.length > 0) throw invalid(errors)
}

function eventOf(offered: readonly OfferedEvent[], type: string): OfferedEvent {
  const event = offered.find((each) => each.type === type)
  if (event) return event
  const message = `Unknown event ${type}. GET /api/workflows/events lists all events.`
  throw invalid([{ path: 'trigger.event', message }])
}

function triggerErrors({ now }: CheckCall, trigger: Trigger, fields: readonly string[]): FieldError[] {
  if (trigger.type === 'schedule') {
    const message = scheduleProblem(trigger, now())
    return message === null ? [] : [{ path: 'trigger.cron', message }]
  }
  return trigger.filter.flatMap(({ field }, at) =>
    fields.includes(field)
      ? []
      : [{ path: `trigger.filter.${at}.field`, message: `Must be one of: ${fields.join(', ')}.` }],
  )
}

async function stepErrors(call: CheckCall, step: Step, path: string, fields: readonly string[]): Promise<FieldError[]> {
  if (step.type === 'webhook') {
    const message = urlProblem(call, URL.parse(step.url))
    return message === null ? [] : [{ path: `${path}.url`, message }]
  }
  const errors = (['title', 'reason', 'href'] as const).flatMap((name) => {
    const message = templateProblem(step[name], fields) ?? (name === 'href' ? hrefProblem(step.href) : null)
    return message === null ? [] : [{ path: `${path}.${name}`, message }]
  })
  return step.type === 'action' ? errors : [...errors, ...(await audienceErrors(call, step, path))]
}

const hrefProblem = (href: string): string | null =>
  hasFixedHost(href) && Href.safeParse(fillHref(href, {})).success
    ? null
    : 'Must be a path or an http(s) URL, with fields only in its path and query.'

async function audienceErrors(
  { identity, actor }: CheckCall,
  { role, people }: Extract<Step, { type: 'notify' }>,
  path: string,
): Promise<FieldError[]> {
  if ((role === undefined) === (people.length === 0))
    return [{ path: `${path}.role`, message: 'Choose either a role or people.' }]
  const organizationId = wholeOrganizationOf(actor, 'workflows:write')
  const areMembers = await Promise.all(people.map((id) => identity.isMember(organizationId, id)))
  return areMembers.flatMap((isMember, at) =>
    isMember ? [] : [{ path: `${path}.people.${at}`, message: 'Must be a member.' }],
  )
}
