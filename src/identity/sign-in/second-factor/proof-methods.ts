import { eq } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import type { Account } from '../../accounts/accounts.ts'
import { passkeys, totpAuthenticators } from '../../schema.ts'
import { confirmedAppOf } from '../totp/codes.ts'
import type { ProofMethods } from './contract.ts'

export async function getProofMethods(db: Database, { id, passwordHash }: Account['user']): Promise<ProofMethods> {
  const [totp, keys] = await Promise.all([
    db.$count(totpAuthenticators, confirmedAppOf(id)),
    db.$count(passkeys, eq(passkeys.userId, id)),
  ])
  return { password: passwordHash !== null, totp: totp > 0, passkey: keys > 0 }
}

/** Beside other ways it would be the weaker one: resetting those by mail ends all sessions. */
export const canProveByMail = ({ password, totp }: ProofMethods): boolean => !password && !totp
