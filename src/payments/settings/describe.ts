import type { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { isAllowed, organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { PaymentSettings } from '../contract/settings.ts'
import { approvalOf } from '../second-person.ts'
import type { StoredSettings } from './settings.ts'

type DescribeCall = Pick<Call<unknown, Actor>, 'actor' | 'identity'>

const permission = 'settings:write'

/** With the names of people, and what the caller can do. */
export async function describeSettings(
  call: DescribeCall,
  stored: StoredSettings,
): Promise<z.input<typeof PaymentSettings>> {
  const { actor, identity } = call
  const own = actor.principal.id
  const hasWrite = isAllowed(actor, permission, await identity.serviceId('platform-pay'))
  const update = hasWrite && (await approvalOf(call, { requestedBy: null, permission })) !== 'not_allowed'
  const isOwnOnly = stored.raised.every(({ by }) => by === own)
  const [holders, approval] = await Promise.all([
    update ? identity.permissionHolders(organizationOf(actor, permission), 'platform-pay', permission) : [],
    update && stored.raised.length > 0
      ? approvalOf(call, { requestedBy: isOwnOnly ? own : null, permission })
      : 'not_allowed',
  ])
  const people = await identity.people([
    ...new Set([...holders.map(({ id }) => id), ...stored.raised.map(({ by }) => by)]),
  ])
  return {
    ...stored,
    raised: stored.raised.map((each) => ({ ...each, byName: people.get(each.by)?.name ?? null })),
    approvers: holders.flatMap(({ id }) => people.get(id)?.name ?? []),
    can: { update, confirm: approval !== 'not_allowed', confirmAlone: approval === 'alone' },
  }
}
