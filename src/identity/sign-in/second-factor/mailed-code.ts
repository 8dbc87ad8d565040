import { and, eq, gt } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { recordChange, auditedTransaction } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { conflict } from '#lib/errors.ts'
import { digest } from '#lib/ids.ts'
import { publicUrl } from '#lib/public-url.ts'
import { proofCodeLetter } from '#views/emails/proof-code.tsx'
import { findUser } from '../../accounts/accounts.ts'
import { personOf } from '../../accounts/caller.ts'
import { countMail, tooManyMails } from '../../accounts/mail-quota.ts'
import { proofCodes } from '../../schema.ts'
import { canProveByMail, getProofMethods } from './proof-methods.ts'

const lifetimeMs = 10 * 60_000

/** Replaces an earlier code; returns the address. @throws 409 with a password or authenticator app; 429 */
export async function mailProofCode(call: Call<unknown, Actor>): Promise<string> {
  const user = await findUser(call.db, personOf(call.actor))
  if (!canProveByMail(await getProofMethods(call.db, user)))
    throw conflict(
      'stronger_proof_available',
      'Use your password or a code from your authenticator app. We only email codes to people who have neither.',
    )
  if (!(await countMail(call, user.email))) throw tooManyMails()
  const [code, now] = [generateCode(), call.now()]
  const href = publicUrl('/settings/security', call.config, call.request)
  const values = { hash: hashOf(user.id, code), createdAt: now, expiresAt: new Date(now.getTime() + lifetimeMs) }
  await auditedTransaction(call, async (tx) => {
    await tx
      .insert(proofCodes)
      .values({ userId: user.id, ...values })
      .onConflictDoUpdate({ target: proofCodes.userId, set: values })
    recordChange(tx, { object: 'user', id: user.id })
    await call.mail.send(tx, user.email, proofCodeLetter(code, href), now)
  })
  return user.email
}

/** False for another or expired code. */
export async function consumeMailedCode(db: Database, userId: string, code: string, now: Date): Promise<boolean> {
  const own = and(
    eq(proofCodes.userId, userId),
    eq(proofCodes.hash, hashOf(userId, code)),
    gt(proofCodes.expiresAt, now),
  )
  return (await db.delete(proofCodes).where(own).returning()).length > 0
}

const hashOf = (userId: string, code: string): string => digest(`${userId} ${code}`)

/** A multiple of 10⁸, so that every code is equally likely. */
const unbiasedLimit = 4_200_000_000

function generateCode(): string {
  const [drawn = unbiasedLimit] = crypto.getRandomValues(new Uint32Array(1))
  return drawn < unbiasedLimit ? String(drawn % 100_000_000).padStart(8, '0') : generateCode()
}
