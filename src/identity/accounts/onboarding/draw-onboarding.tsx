import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { getProofMethods } from '../../sign-in/second-factor/proof-methods.ts'
import { findUser } from '../accounts.ts'
import { loadRecoveryEmail } from '../recovery-email/recovery-email.ts'

/** What the form of the first step needs. */
export async function loadRecoveryStep(call: Call<unknown, Actor>) {
  const { db, actor } = call
  const [recovery, user] = await Promise.all([loadRecoveryEmail(call), findUser(db, actor.principal.id)])
  return { recovery, ways: await getProofMethods(db, user) }
}
