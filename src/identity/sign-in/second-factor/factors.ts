import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { findUser } from '../../accounts/accounts.ts'
import { personOf } from '../../accounts/caller.ts'
import { totpAuthenticators } from '../../schema.ts'
import { confirmedAppOf } from '../totp/codes.ts'
import { countRecoveryCodes } from '../totp/recovery-codes.ts'
import { hasSecondFactor, listOrganizationsRequiring } from './required.ts'
import { getProofMethods } from './proof-methods.ts'

export const getOwnProofMethods = async ({ db, actor }: Call<unknown, Actor>) =>
  getProofMethods(db, await findUser(db, personOf(actor)))

export async function getSecondFactors(call: Call<unknown, Actor>) {
  const { db, actor } = call
  const userId = personOf(actor)
  const [proofMethods, [totp], recoveryCodes, two] = await Promise.all([
    getOwnProofMethods(call),
    db.select({ since: totpAuthenticators.confirmedAt }).from(totpAuthenticators).where(confirmedAppOf(userId)),
    countRecoveryCodes(db, userId),
    hasSecondFactor(db, actor.credential.id),
  ])
  return {
    proofMethods,
    requiredBy: two ? [] : await listOrganizationsRequiring(db, userId),
    totp: { since: totp?.since ?? null, recoveryCodes },
  }
}
