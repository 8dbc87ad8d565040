import { and, eq, inArray, isNotNull, isNull, or, sql, type SQL } from 'drizzle-orm'
import { atLeast, roles, type Actor } from '#lib/actor.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { postedKind } from '../delivery/notification-kinds.ts'
import { notificationPreferences, notifications } from '../schema.ts'
import { raisingServices } from './services.ts'

type VisibleCall = Pick<Call<unknown, Actor>, 'identity' | 'actor'>

/** The person who reads; null for an API key, which sees no personal notifications. */
export const readerOf = ({ tokenType, app, principal }: Actor): string | null =>
  (tokenType === 'session' || tokenType === 'access') && app === null ? principal.id : null

/**
 * What the caller can see of its organization: what its role or its permission of the raising service allows, of the
 * brands that it is limited to. An API key sees what isn't personal: an admin created it.
 */
export async function visibleTo(call: VisibleCall): Promise<SQL | undefined> {
  const { actor } = call
  const own = eq(notifications.organizationId, organizationOf(actor, 'notifications:read'))
  const person = readerOf(actor)
  const forAll = isNull(notifications.personId)
  const addressed = person === null ? forAll : or(forAll, eq(notifications.personId, person))
  return and(own, addressed, await allowedTo(call))
}

/**
 * Of notifications for all or for the caller, those that the caller’s role allows: the same for all with the same role
 * and permissions. A personal one about a resource is hidden once its person can’t see the resource.
 */
export async function allowedTo(call: VisibleCall): Promise<SQL | undefined> {
  const limits = await limitsOf(call, readerOf(call.actor) !== null)
  const { personId, resourceId } = notifications
  return limits && or(and(isNotNull(personId), isNull(resourceId)), limits)
}

/** What the person chose not to see in the app, unless it is assigned to them. */
export function notMutedBy(person: string | null): SQL | undefined {
  if (person === null) return undefined
  const { personId, organizationId, choices } = notificationPreferences
  return sql`(${notifications.assigneeId} = ${person} OR NOT EXISTS (
    SELECT FROM ${notificationPreferences}
    WHERE ${personId} = ${person} AND ${organizationId} = ${notifications.organizationId}
      AND ${choices} -> coalesce(${notifications.kind}, ${postedKind.name}) ->> 'inApp' = 'false'))`
}

async function limitsOf({ identity, actor }: VisibleCall, isPerson: boolean): Promise<SQL | undefined> {
  const { bindings } = actor
  if (!isPerson) {
    const ids = bindings.map(({ id }) => id)
    return ids.length > 0 ? inArray(notifications.resourceId, ids) : undefined
  }
  const services = await Promise.all(
    raisingServices.map(async (slug) => ({
      slug,
      // A failed look-up fails the whole: else what was left out would look as if it couldn’t be seen.
      id: slug === 'platform' ? null : await identity.serviceId(slug),
    })),
  )
  const held = (permissions: Iterable<string>): string[] =>
    [...permissions].flatMap((each) => {
      const [id, permission] = split(each)
      const service = services.find((one) => one.id === id)
      return service ? [`${service.slug} ${permission}`] : []
    })
  if (bindings.length === 0)
    return or(isNull(notifications.permission), isHeldRole(actor), isHeld(held(actor.permissions)))
  // A limited role sees only what is about its resources.
  const ofResources = bindings.map(({ id, permissions }) =>
    and(eq(notifications.resourceId, id), isHeld(held(permissions ?? actor.permissions))),
  )
  return or(...ofResources)
}

const split = (permission: string): [service: string, permission: string] => {
  const at = permission.indexOf('.')
  return [permission.slice(0, at), permission.slice(at + 1)]
}

const isHeld = (pairs: string[]): SQL =>
  sql`${notifications.service} || ' ' || ${notifications.permission} = ANY(${sql.param(pairs)}::text[])`

function isHeldRole({ organization }: Actor): SQL | undefined {
  const held = roles.filter((role) => organization && atLeast(organization.role, role)).map((role) => `role:${role}`)
  return inArray(notifications.permission, held)
}
