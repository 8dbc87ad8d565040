import type { OnboardingStep } from '#lib/onboarding-step.ts'
import { RecoveryStep } from '#views/identity/onboarding/recovery-step.tsx'
import { getProofMethods } from '../../sign-in/second-factor/proof-methods.ts'
import { findUser } from '../accounts.ts'
import { loadRecoveryEmail } from '../recovery-email/recovery-email.ts'
import { findVerifiedRecovery } from '../recovery-email/verified.ts'

export const recoveryStep: OnboardingStep = {
  step: 'recovery',
  title: 'Recovery email',
  rank: 10,
  scope: 'person',
  optional: false,
  find: async ({ db, actor }) => ({ done: (await findVerifiedRecovery(db, actor.principal.id)) !== undefined }),
  draw: async (call, frame) => {
    const { db, actor, request } = call
    const [recovery, user] = await Promise.all([loadRecoveryEmail(call), findUser(db, actor.principal.id)])
    const ways = await getProofMethods(db, user)
    const isChanging = request.url.searchParams.get('change') === 'true'
    return () => <RecoveryStep recovery={recovery} ways={ways} isChanging={isChanging} frame={frame} />
  },
}
