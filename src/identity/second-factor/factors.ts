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

/** What the caller's security page shows of their factors. */
export async function factorsOf({ db, actor }: Call<unknown, Actor>) {
  const userId = personOf(actor)
  const [user, passkeys, [totp], recoveryCodes] = await Promise.all([
    findUser(db, userId),
    listPasskeys({ db, actor }),
    db.select({ since: totpAuthenticators.confirmedAt }).from(totpAuthenticators).where(ofPerson(userId)),
    countRecoveryCodes(db, userId),
  ])
  const hasPassword = user.passwordHash !== null
  const two = await hasShownTwo(db, actor.credential.id)
  return {
    email: user.email,
    hasPassword,
    passkeys: z.array(Passkey).parse(passkeys),
    requiredBy: two ? [] : await requiredBy(db, userId),
    totp: { since: totp?.since ?? null, recoveryCodes },
  }
}
