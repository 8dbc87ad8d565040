import { eq, ne, and } from 'drizzle-orm'
import type { OnboardingStep, StepCall } from '#lib/onboarding-step.ts'
import { InviteStep } from '#views/identity/onboarding/invite-step.tsx'
import { invitations, memberships } from '../../schema.ts'
import { listInvitations } from '../members/invitations.operations.tsx'

export const inviteStep: OnboardingStep = {
  step: 'invite',
  title: 'Team',
  rank: 40,
  scope: 'organization',
  optional: true,
  find: async (call) => (call.actor.organization ? { done: await hasOthers(call, call.actor.organization.id) } : null),
  draw: async ({ ask, actor: { organization } }, frame) => {
    const id = organization?.id ?? ''
    const { items } = await ask(listInvitations, { id, limit: 100 })
    return () => <InviteStep organizationId={id} invitations={items} frame={frame} />
  },
}

async function hasOthers({ db, actor }: StepCall, organizationId: string): Promise<boolean> {
  const [invited, members] = await Promise.all([
    db.select({ id: invitations.id }).from(invitations).where(eq(invitations.organizationId, organizationId)).limit(1),
    db
      .select({ userId: memberships.userId })
      .from(memberships)
      .where(and(eq(memberships.organizationId, organizationId), ne(memberships.userId, actor.principal.id)))
      .limit(1),
  ])
  return invited.length > 0 || members.length > 0
}
