import type { Actor } from '#lib/actor.ts'
import { isLoopback } from '#lib/address.ts'
import { isAllowed, organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { forbidden, invalid, type FieldError } from '#lib/errors.ts'
import type { OfferedEvent } from '#lib/outgoing-webhooks/event.ts'
import { readableEvents, wholeOrganizationNeeded } from '#lib/outgoing-webhooks/permissions.ts'
import { urlProblem } from '#lib/outgoing-webhooks/url.ts'
import { Href } from '#lib/raised-actions.ts'
import type { Step, WorkflowDraft } from './contract.ts'
import type { Filter, Trigger } from './triggers/contract.ts'
import { sizeOf } from './triggers/matches.ts'
import { fieldsOf, scheduleFields } from './triggers/event-fields.ts'
import { scheduleProblem } from './triggers/schedule.ts'
import { fillHref, hasFixedHost, templateProblem } from './template.ts'

type CheckCall = Pick<
  Call<unknown, Actor>,
  'actor' | 'identity' | 'webhookEvents' | 'outbound' | 'config' | 'hosts' | 'now'
>

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

type Checked = Pick<WorkflowDraft, 'trigger' | 'steps'>

/**
 * Members that the workflow already names can have left: they are skipped when it runs. After an erased account, a step can
 * be without members.
 * @throws {Problem} 422 for each wrong field, and 403 for an event that the caller can't read
 */
export async function checkWorkflow(call: CheckCall, { trigger, steps }: Checked, before?: Checked): Promise<void> {
  const named = new Set(before?.steps.flatMap((step) => (step.type === 'notify' ? step.people : [])))
  const canReachNobody = before?.steps.some(reachesNobody) ?? false
  const event = trigger.type === 'event' ? eventOf(call.webhookEvents, trigger.event) : null
  if (event) await requireReadable(call, event.type)
  const fields = event ? fieldsOf(event) : scheduleFields
  const errors = [
    ...triggerErrors(call, trigger, fields),
    ...(
      await Promise.all(
        steps.map((step, at) => stepErrors({ ...call, named, canReachNobody }, step, `steps.${at}`, fields)),
      )
    ).flat(),
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
  return trigger.filter.flatMap((filter, at) => filterErrors(filter, `trigger.filter.${at}`, fields))
}

function filterErrors({ field, operator, value }: Filter, path: string, fields: readonly string[]): FieldError[] {
  if (!fields.includes(field)) return [{ path: `${path}.field`, message: `Must be one of: ${fields.join(', ')}.` }]
  const comparesSizes = operator === 'greater_than' || operator === 'less_than'
  if (comparesSizes && sizeOf(value) === null)
    return [{ path: `${path}.value`, message: 'Must be a number or a time, such as 2026-01-31.' }]
  return operator === 'contains' && value === '' ? [{ path: `${path}.value`, message: 'Enter a text.' }] : []
}

type StepCall = CheckCall & { readonly named: ReadonlySet<string>; readonly canReachNobody: boolean }

async function stepErrors(call: StepCall, step: Step, path: string, fields: readonly string[]): Promise<FieldError[]> {
  if (step.type === 'webhook') {
    const url = URL.parse(step.url)
    const message = urlProblem(call, url) ?? (isOwn(call, url) ? 'Must not be an address of Atrium.' : null)
    return message === null ? [] : [{ path: `${path}.url`, message }]
  }
  const errors = (['title', 'reason', 'href'] as const).flatMap((name) => {
    const message = templateProblem(step[name], fields) ?? (name === 'href' ? hrefProblem(step.href) : null)
    return message === null ? [] : [{ path: `${path}.${name}`, message }]
  })
  return step.type === 'action' ? errors : [...errors, ...(await audienceErrors(call, step, path))]
}

const reachesNobody = (step: Step): boolean =>
  step.type === 'notify' && step.role === undefined && step.people.length === 0

/** A workflow that calls this product, at any of its hosts, could start itself. */
export function isOwn({ config, hosts }: Pick<Call, 'config' | 'hosts'>, url: URL | null): boolean {
  if (url === null) return false
  const hostname = url.hostname.replace(/\.$/, '')
  const isListener = url.port === String(config.PORT)
  if (isLoopback(hostname)) return isListener
  const publicPort = config.PUBLIC_URL === undefined ? '' : new URL(config.PUBLIC_URL).port
  return (hosts.services.has(hostname) || hosts.all.has(hostname)) && (isListener || url.port === publicPort)
}

const hrefProblem = (href: string): string | null =>
  hasFixedHost(href) && Href.safeParse(fillHref(href, {})).success
    ? null
    : 'Must be a path or an http(s) URL, with fields only in its path and query.'

async function audienceErrors(
  { identity, actor, named, canReachNobody }: StepCall,
  step: Extract<Step, { type: 'notify' }>,
  path: string,
): Promise<FieldError[]> {
  const { people } = step
  if (step.chat === true && step.role === undefined)
    return [{ path: `${path}.chat`, message: 'Choose a role: what is for single members isn’t posted to the chat.' }]
  if (reachesNobody(step)) return canReachNobody ? [] : [{ path: `${path}.role`, message: 'Choose a role or members.' }]
  const organizationId = wholeOrganizationOf(actor, 'workflows:write')
  const areMembers = await Promise.all(
    people.map(async (id) => named.has(id) || (await identity.isMember(organizationId, id))),
  )
  return areMembers.flatMap((isMember, at) =>
    isMember ? [] : [{ path: `${path}.people.${at}`, message: 'Must be a member.' }],
  )
}
