import { and, eq, gt } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { recordChange, auditedTransaction } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { invalid, notFound } from '#lib/errors.ts'
import { digest, randomToken } from '#lib/ids.ts'
import { publicUrl } from '#lib/public-url.ts'
import { recoveryLetter } from '#views/emails/recovery-email.tsx'
import { personOf } from '../caller.ts'
import { countMail, tooManyMails } from '../mail-quota.ts'
import { recoveryEmails, type users } from '../../schema.ts'
import { requireReauthentication } from '../../sign-in/second-factor/proof.ts'
import { sendSecurityNotice } from '../security-notices.ts'
import type { RecoveryEmail, RecoveryEmailEdit } from './contract.ts'

type ActorCall = Call<unknown, Actor>
type Row = typeof recoveryEmails.$inferSelect

const lifetimeMs = 24 * 60 * 60 * 1000

const toRecoveryEmail = (row: Row | undefined): RecoveryEmail =>
  row ? { status: row.verifiedAt ? 'verified' : 'pending', email: row.email } : { status: 'missing', email: null }

export const loadRecoveryEmail = async ({ db, actor }: ActorCall): Promise<RecoveryEmail> =>
  toRecoveryEmail(await findRecoveryEmail(db, personOf(actor)))

async function findRecoveryEmail(db: Database, userId: string): Promise<Row | undefined> {
  const [row] = await db.select().from(recoveryEmails).where(eq(recoveryEmails.userId, userId))
  return row
}

/** The previous address gets no more mail, but a notice. @throws 422 for the sign-in address, 429 */
export async function setRecoveryEmail(
  call: ActorCall,
  { email, ...proof }: RecoveryEmailEdit,
): Promise<RecoveryEmail> {
  const user = await requireReauthentication(call, proof)
  if (email === user.email.toLowerCase())
    throw invalid([{ path: 'email', message: 'Must differ from the address you sign in with.' }])
  const had = await findRecoveryEmail(call.db, user.id)
  if (email === null) return removeRecoveryEmail(call, user)
  if (had?.verifiedAt && had.email === email) return toRecoveryEmail(had)
  if (!(await countMail(call, email))) throw tooManyMails()
  return auditedTransaction(call, (tx) => replaceRecoveryEmail(call, tx, user, email))
}

type User = typeof users.$inferSelect

const removeRecoveryEmail = (call: ActorCall, user: User): Promise<RecoveryEmail> =>
  auditedTransaction(call, async (tx) => {
    await sendSecurityNotice(call, tx, user, 'recoveryRemoved')
    await tx.delete(recoveryEmails).where(eq(recoveryEmails.userId, user.id))
    recordChange(tx, { object: 'user', id: user.id })
    return toRecoveryEmail(undefined)
  })

async function replaceRecoveryEmail(call: ActorCall, tx: Database, user: User, email: string): Promise<RecoveryEmail> {
  const [token, now] = [randomToken(), call.now()]
  const link = { tokenHash: digest(token), expiresAt: new Date(now.getTime() + lifetimeMs) }
  const values = { email, ...link, verifiedAt: null, createdAt: now }
  await sendSecurityNotice(call, tx, user, 'recoverySet')
  const [row] = await tx
    .insert(recoveryEmails)
    .values({ userId: user.id, ...values })
    .onConflictDoUpdate({ target: recoveryEmails.userId, set: values })
    .returning()
  recordChange(tx, { object: 'user', id: user.id })
  const href = publicUrl(`/recovery-email/${token}`, call.config, call.request)
  await call.mail.send(tx, email, recoveryLetter(href), now)
  return toRecoveryEmail(row)
}

/** Undefined when it was used, replaced or has expired. */
export async function findRecoveryLink(db: Database, token: string, now: Date): Promise<string | undefined> {
  const [row] = await db.select({ email: recoveryEmails.email }).from(recoveryEmails).where(byToken(token, now))
  return row?.email
}

/** @throws 404 for a used, replaced or expired link */
export async function confirmRecoveryEmail(db: Database, token: string, now: Date): Promise<RecoveryEmail> {
  const verified = { verifiedAt: now, tokenHash: null, expiresAt: null }
  const [row] = await db.update(recoveryEmails).set(verified).where(byToken(token, now)).returning()
  if (!row) throw notFound('link')
  recordChange(db, { object: 'user', id: row.userId })
  return toRecoveryEmail(row)
}

const byToken = (token: string, now: Date) =>
  and(eq(recoveryEmails.tokenHash, digest(token)), gt(recoveryEmails.expiresAt, now))
