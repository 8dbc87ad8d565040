import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { auditedTransaction } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { notFound } from '#lib/errors.ts'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { listOf, paging } from '#lib/paginate.ts'
import { comesFrom } from '#lib/page.ts'
import { reply } from '#lib/reply.ts'
import { counted } from '#lib/text.ts'
import { InvitationSummary } from '#views/identity/organizations/members/invitation.tsx'
import { InvitationRow, Invitations } from '#views/identity/organizations/members/invitations.tsx'
import {
  Invitation,
  InvitationBatch,
  InvitationDraft,
  InvitationToken,
  InvitationRegistration,
  OpenInvitation,
  Organization,
  SignUpResult,
} from '../../contract.ts'
import { personOf } from '../../accounts/caller.ts'
import { switchContext } from '../../accounts/current.ts'
import { getUnmetRequirement } from '../../sign-in/second-factor/required.ts'
import { signIn } from '../../sign-in/sign-in.ts'
import { noReferrer } from '../../http/responses.ts'
import * as invited from './accept.ts'
import * as invitations from './invitations.ts'

const back = { next: '/settings/members' }
const one = z.object({ id: Id, invitationId: Id })

export const listInvitations = operation({
  route: 'GET /api/organizations/:id/invitations',
  summary: 'List pending invitations',
  permission: 'role:admin',
  input: z.object({ id: Id, ...paging }),
  output: listOf(Invitation),
  run: (call) => invitations.listInvitations(call, call.input),
  view: ({ items }, { actor, input }) => (
    <Invitations organizationId={input.id} me={actor.principal.id} invitations={items} />
  ),
})

async function drawInvitations({ ask, actor, input: { id } }: Call<{ id: string }, Actor>) {
  const { items } = await ask(listInvitations, { id, limit: 100 })
  return <Invitations organizationId={id} me={actor.principal.id} invitations={items} />
}

export const getInvitation = operation({
  route: 'GET /api/invitations/:token',
  summary: 'Get an invitation by token',
  permission: 'public',
  limit: 'sign-in',
  headers: noReferrer,
  input: InvitationToken,
  output: OpenInvitation,
  problems: { not_found: 404 },
  run: async ({ db, input, now }) => {
    const invitation = await invited.findOpenInvitation(db, input.token, now())
    if (!invitation) throw notFound('invitation')
    return invitation
  },
  view: (invitation) => <InvitationSummary invitation={invitation} />,
})

export const createInvitation = operation({
  route: 'POST /api/organizations/:id/invitations',
  summary: 'Invite a person by email',
  permission: 'role:admin',
  input: InvitationDraft,
  output: Invitation,
  creates: true,
  example: { email: 'grace@example.com', role: 'editor' },
  problems: { already_member: 409, already_invited: 409, too_many_invitations: 409, too_many_mails: 429 },
  run: async (call) => {
    const invitation = await invitations.invite(call, call.input)
    return reply(201, invitation, { ...back, toast: `Invitation sent to ${invitation.email}` })
  },
  view: (_, call) => drawInvitations(call),
})

export const createInvitations = operation({
  route: 'POST /api/organizations/:id/invitations/batch',
  summary: 'Invite several people by email',
  permission: 'role:admin',
  input: InvitationBatch,
  output: listOf(Invitation),
  creates: true,
  example: { invitations: [{ email: 'grace@example.com', role: 'editor' }] },
  problems: { already_member: 409, already_invited: 409, too_many_invitations: 409, too_many_mails: 429 },
  run: async (call) => {
    const items = await invitations.inviteMany(call, call.input)
    const next = comesFrom(call, '/onboarding') ? '/onboarding' : back.next
    return reply(201, { items, nextCursor: null }, { next, toast: counted(items.length, 'invitation') + ' sent' })
  },
})

export const resendInvitation = operation({
  route: 'POST /api/organizations/:id/invitations/:invitationId/resend',
  summary: 'Resend an invitation with a new link',
  permission: 'role:admin',
  input: one,
  output: Invitation,
  problems: { too_many_invitations: 409, invitation_just_sent: 429, too_many_mails: 429 },
  run: async (call) => {
    const invitation = await invitations.resend(call, call.input.id, call.input.invitationId)
    return reply(200, invitation, { ...back, toast: 'Invitation resent' })
  },
  view: (invitation, { actor, input }) => (
    <InvitationRow organizationId={input.id} me={actor.principal.id} invitation={invitation} />
  ),
})

export const deleteInvitation = operation({
  route: 'DELETE /api/organizations/:id/invitations/:invitationId',
  summary: 'Cancel an invitation',
  permission: 'role:admin',
  input: one,
  output: z.null(),
  run: async (call) => {
    await invitations.cancel(call, call.input.id, call.input.invitationId)
    return reply(204, null, { ...back, toast: 'Invitation canceled' })
  },
  view: (_, call) => drawInvitations(call),
})

export const acceptInvitation = operation({
  route: 'POST /api/invitations/accept',
  summary: 'Accept an invitation',
  permission: 'signed-in',
  limit: 'sign-in',
  input: InvitationToken,
  output: Organization,
  transaction: false,
  problems: { entitlement_exceeded: 402, invitation_for_another_account: 403, not_found: 404, super_admin: 409 },
  run: async (call) => {
    const { token } = call.input
    const userId = personOf(call.actor)
    const organization = await auditedTransaction(call, (db) => invited.accept({ ...call, db }, userId, token))
    const { tokenType, credential } = call.actor
    const canSwitch =
      tokenType === 'session' && (await getUnmetRequirement(call.db, credential.id, organization.id)) === null
    if (canSwitch) await switchContext(call, { organizationId: organization.id })
    return reply(200, organization, { next: '/', toast: `Welcome to ${organization.name}` })
  },
})

export const declineInvitation = operation({
  route: 'POST /api/invitations/decline',
  summary: 'Decline an invitation',
  permission: 'public',
  limit: 'sign-in',
  input: InvitationToken,
  output: z.null(),
  run: async (call) => {
    await invited.decline(call, call.input.token)
    return reply(204, null, { next: '/', toast: 'Invitation declined' })
  },
})

export const registerByInvitation = operation({
  route: 'POST /api/invitations/register',
  summary: 'Sign up with an invitation',
  permission: 'public',
  limit: 'sign-in',
  input: InvitationRegistration,
  output: SignUpResult,
  creates: true,
  secrets: ['accessToken', 'refreshToken'],
  transaction: false,
  problems: { entitlement_exceeded: 402, not_found: 404, email_taken: 409, busy: 503 },
  run: async (call) => signIn(call, 201, await invited.registerInvited(call, call.input), { how: 'registration' }),
})
