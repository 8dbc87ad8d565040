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
  return {
    email: user.email,
    hasPassword,
    passkeys: z.array(Passkey).parse(passkeys),
    totp: { since: totp?.since ?? null, recoveryCodes },
  }
}
