import type { Actor } from '#lib/actor.ts'
import { isAllowed } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { actorOfMember, readAudience, type Audience } from '../delivery/audience.ts'
import { listVisible } from '../delivery/announce/list-visible.ts'
import type { AssigneeList, AssigneeQuery } from './contract.ts'
import { findNotification } from './list.ts'

/** By name, those who can see the action. @throws {Problem} 404 */
export async function listAssignees(call: Call<AssigneeQuery, Actor>): Promise<AssigneeList> {
  const { id, q = '', limit } = call.input
  const { notification } = await findNotification(call, id)
  const serviceId = await call.identity.serviceId('platform-dashboard-api')
  const words = q.toLowerCase()
  const found: AssigneeList['items'] = []
  for await (const { organization, members } of readAudience(call, notification.organizationId)) {
    const named = members.filter(
      (member) =>
        member.name.toLowerCase().includes(words) &&
        isAllowed(actorOfMember(member, organization), 'notifications:read', serviceId),
    )
    found.push(...(await whoSee(call, { organization, members: named }, id)))
  }
  const sorted = found.toSorted((one, other) => one.name.localeCompare(other.name))
  return { items: sorted.slice(0, limit), more: sorted.length > limit }
}

async function whoSee(call: Pick<Call, 'db' | 'identity'>, audience: Audience, id: string) {
  if (audience.members.length === 0) return []
  const visible = await listVisible(call, audience, [id])
  return audience.members.flatMap((member) =>
    visible.get(member.id)?.has(id) ? [{ id: member.id, name: member.name }] : [],
  )
}
