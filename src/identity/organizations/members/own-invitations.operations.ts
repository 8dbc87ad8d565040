import { z } from 'zod'
import { auditedTransaction } from '#lib/audit.ts'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { listOf } from '#lib/paginate.ts'
import { reply } from '#lib/reply.ts'
import { personOf } from '../../accounts/caller.ts'
import { switchContext } from '../../accounts/current.ts'
import { Organization, OwnInvitation } from '../../contract.ts'
import { getUnmetRequirement } from '../../sign-in/second-factor/required.ts'
import { acceptOwn, listOwn } from './own-invitations.ts'

export const listOwnInvitations = operation({
  route: 'GET /api/auth/me/invitations',
  summary: 'List invitations to your confirmed email address',
  permission: 'signed-in',
  input: z.object({}),
  output: listOf(OwnInvitation),
  run: async (call) => ({ items: await listOwn(call), nextCursor: null }),
})

export const acceptOwnInvitation = operation({
  route: 'POST /api/auth/me/invitations/:id/accept',
  summary: 'Accept an invitation to your address',
  permission: 'signed-in',
  input: z.object({ id: Id }),
  output: Organization,
  transaction: false,
  problems: { entitlement_exceeded: 402, super_admin: 409 },
  run: async (call) => {
    const userId = personOf(call.actor)
    const organization = await auditedTransaction(call, (db) => acceptOwn({ ...call, db }, userId, call.input.id))
    const { tokenType, credential } = call.actor
    const canSwitch =
      tokenType === 'session' && (await getUnmetRequirement(call.db, credential.id, organization.id)) === null
    if (canSwitch) await switchContext(call, { organizationId: organization.id })
    return reply(200, organization, { next: '/', toast: `Welcome to ${organization.name}` })
  },
})
