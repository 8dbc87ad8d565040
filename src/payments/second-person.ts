import type { Actor, ServicePermission } from '#lib/actor.ts'
import { requirePerson } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { Problem } from '#lib/errors.ts'

type ApprovalCall = Pick<Call<unknown, Actor>, 'actor' | 'identity'>

interface Requested {
  /** The person who asked for it, or is responsible for the API key that did. */
  requestedBy: string | null
  /** That an approval needs. */
  permission: ServicePermission
}

/** Who can’t approve a request: its requester, or the person behind the API key of an agent. */
export const personBehind = (request: { requestedBy: string | null; responsibleId: string | null }): string | null =>
  request.responsibleId ?? request.requestedBy

/** How an actor with the permission can approve a request above a ceiling (PAY-34). */
export type Approval = 'second_person' | 'alone' | 'not_allowed'

export async function approvalOf(
  { actor, identity }: ApprovalCall,
  { requestedBy, permission }: Requested,
): Promise<Approval> {
  const { principal, organization, tokenType, app } = actor
  if (!organization || app !== null || (tokenType !== 'session' && tokenType !== 'access')) return 'not_allowed'
  if (principal.id !== requestedBy) return 'second_person'
  if (organization.role !== 'owner') return 'not_allowed'
  const holders = await identity.permissionHolders(organization.id, 'platform-pay', permission)
  return holders.some(({ id }) => id !== principal.id) ? 'not_allowed' : 'alone'
}

interface Confirmed extends Requested {
  /** Of the owner’s authenticator app, or a recovery code. */
  code: string | undefined
  /** Its page. */
  next: string
}

/**
 * Who decided alone has proven it with a second factor then. @throws {Problem} 403 for the requester, API keys and apps;
 * 422 and 429 for a wrong code
 */
export async function requireApprover(call: ApprovalCall, wanted: Confirmed): Promise<{ isAlone: boolean }> {
  requirePerson(call.actor)
  const approval = await approvalOf(call, wanted)
  if (approval === 'second_person') return { isAlone: false }
  if (approval === 'not_allowed')
    throw new Problem(
      403,
      'second_person_needed',
      `You requested it, so another person with the permission “${wanted.permission}” has to approve it. When no one else has it, the owner can, with a second factor.`,
    )
  if (wanted.code === undefined)
    throw new Problem(
      403,
      'second_factor_needed',
      'No one else in the organization can approve this. Enter a code from your authenticator app, or a recovery code.',
      { next: wanted.next },
    )
  await call.identity.proveSecondFactor(call.actor.principal.id, wanted.code)
  return { isAlone: true }
}
