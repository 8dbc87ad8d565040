import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { findUser } from '../accounts.ts'
import { personOf } from '../current.ts'
import { Passkey } from '../passkeys/contract.ts'
import { listPasskeys } from '../passkeys/passkeys.ts'
import { totpAuthenticators } from '../schema.ts'
import { ofPerson } from '../totp/codes.ts'
import { countRecoveryCodes } from '../totp/recovery-codes.ts'
import { hasShownTwo, requiredBy } from './required.ts'
import { waysToProve } from './ways.ts'

/** What the caller's security page shows of their factors. */
export async function factorsOf(call: Call<unknown, Actor>) {
  const { db, actor } = call
  const userId = personOf(actor)
  const [user, passkeys, [totp], recoveryCodes] = await Promise.all([
    findUser(db, userId),
    listPasskeys({ db, actor }),
    db.select({ since: totpAuthenticators.confirmedAt }).from(totpAuthenticators).where(ofPerson(userId)),
    countRecoveryCodes(db, userId),
  ])
  const two = await hasShownTwo(db, actor.credential.id)
  return {
    email: user.email,
    ways: await waysToProve(db, user),
    passkeys: z.array(Passkey).parse(passkeys),
    requiredBy: two ? [] : await requiredBy(db, userId),
    totp: { since: totp?.since ?? null, recoveryCodes },
  }
}
