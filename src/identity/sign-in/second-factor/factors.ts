import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { findUser } from '../../accounts/accounts.ts'
import { personOf } from '../../accounts/caller.ts'
import { Passkey } from '../passkeys/contract.ts'
import { listPasskeys } from '../passkeys/passkeys.ts'
import { totpAuthenticators } from '../../schema.ts'
import { confirmedAppOf } from '../totp/codes.ts'
import { countRecoveryCodes } from '../totp/recovery-codes.ts'
import { hasSecondFactor, listOrganizationsRequiring } from './required.ts'
import { getProofMethods } from './proof-methods.ts'

/** The caller’s factors, as the security page shows them. */
export async function getFactors(call: Call<unknown, Actor>) {
  const { db, actor } = call
  const userId = personOf(actor)
  const [user, passkeys, [totp], recoveryCodes] = await Promise.all([
    findUser(db, userId),
    listPasskeys({ db, actor }),
    db.select({ since: totpAuthenticators.confirmedAt }).from(totpAuthenticators).where(confirmedAppOf(userId)),
    countRecoveryCodes(db, userId),
  ])
  const two = await hasSecondFactor(db, actor.credential.id)
  return {
    email: user.email,
    ways: await getProofMethods(db, user),
    passkeys: z.array(Passkey).parse(passkeys),
    requiredBy: two ? [] : await listOrganizationsRequiring(db, userId),
    totp: { since: totp?.since ?? null, recoveryCodes },
  }
}
