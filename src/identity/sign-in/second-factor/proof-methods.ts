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

/**
 * Beside a password or an authenticator app it would be the weaker method: access to the mailbox alone resets
 * neither without ending all sessions.
 */
export const canProveByMail = ({ password, totp }: ProofMethods): boolean => !password && !totp
