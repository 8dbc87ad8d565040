import type { Actor, Permission } from '../actor.ts'
import { isAllowed } from '../authorize.ts'
import type { Call } from '../call.ts'
import { forbidden, invalid, Problem } from '../errors.ts'
import type { WebhookEventType } from './contract.ts'
import { testEvent } from './deliveries.ts'
import type { OfferedEvent } from './event.ts'

type EventCall = Pick<Call, 'identity'> & { actor: Actor }

/** Events are of the whole organization, so a role that is limited to parts of it is not enough. */
export const wholeOrganizationNeeded = (permission: Permission = 'role:admin') =>
  new Problem(
    403,
    'whole_organization_needed',
    'Your role is limited to part of the organization. Ask an admin with full access.',
    { members: { permission } },
  )

export async function readableEvents(
  { actor, identity }: EventCall,
  offered: readonly OfferedEvent[],
): Promise<OfferedEvent[]> {
  const allowed = await Promise.all(
    offered.map(async ({ permission, service }) => isAllowed(actor, permission, await identity.serviceId(service))),
  )
  return offered.filter((_, at) => allowed[at])
}

export async function listEvents(call: EventCall, offered: readonly OfferedEvent[]): Promise<WebhookEventType[]> {
  const readable = call.actor.bindings.length > 0 ? [] : await readableEvents(call, offered)
  return offered.map((event) => {
    const { data: _, ...described } = event
    return { ...described, can: { subscribe: readable.includes(event) } }
  })
}

/** Asks identity before a transaction opens. The check throws 422, and 403 that names the missing permission. */
export async function createReadingCheck(
  call: EventCall,
  offered: readonly OfferedEvent[],
): Promise<(types: readonly string[]) => void> {
  const readable = await readableEvents(call, offered)
  return (types) => {
    if (call.actor.bindings.length > 0) throw wholeOrganizationNeeded()
    for (const [at, type] of types.entries()) {
      if (type === testEvent) continue
      const event = offered.find((each) => each.type === type)
      if (!event)
        throw invalid([
          { path: `events.${at}`, message: `Unknown event ${type}. GET /api/webhook-events lists all events.` },
        ])
      if (!readable.includes(event)) throw forbidden(event.permission)
    }
  }
}

/** @throws {Problem} as `createReadingCheck` */
export async function requireReading(
  call: EventCall,
  offered: readonly OfferedEvent[],
  types: readonly string[],
): Promise<void> {
  const check = await createReadingCheck(call, offered)
  check(types)
}
