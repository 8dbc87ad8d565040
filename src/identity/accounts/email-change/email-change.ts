import { and, eq, gt, or, sql } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { recordChange, auditedTransaction } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { brokenConstraint, type Database } from '#lib/db.ts'
import { conflict, invalid, notFound, unauthorized } from '#lib/errors.ts'
import { digest, randomToken } from '#lib/ids.ts'
import { publicUrl } from '#lib/public-url.ts'
import { newAddressLetter, oldAddressLetter, takenAddressLetter } from '#views/emails/email-change.tsx'
import { isEmailRegistered } from '../accounts.ts'
import { personOf } from '../caller.ts'
import { countMail, tooManyMails } from '../mail-quota.ts'
import { emailChanges, passwordResets, users } from '../../schema.ts'
import { requireReauthentication } from '../../sign-in/second-factor/proof.ts'
import { sendNoticeTo, sendSecurityNotice } from '../security-notices.ts'
import type { EmailChange, EmailChangeRequest, OwnEmailRow } from './contract.ts'

type ActorCall = Call<unknown, Actor>

const lifetimeMs = 24 * 60 * 60 * 1000

/** Only the new mailbox learns that it is taken. @throws {Problem} 422, 429, and as `requireReauthentication` */
export async function startEmailChange(call: ActorCall, { email, ...proof }: EmailChangeRequest): Promise<void> {
  const user = await requireReauthentication(call, proof)
  if (email === user.email.toLowerCase())
    throw invalid([{ path: 'email', message: 'This is already your email address.' }])
  if (!(await countMail(call, email))) throw tooManyMails()
  await auditedTransaction(call, (tx) => mailLinks(call, tx, user, email))
}

async function mailLinks(call: ActorCall, tx: Database, user: { id: string; email: string }, email: string) {
  const [ofOld, ofNew, now] = [randomToken(), randomToken(), call.now()]
  const hashes = { oldTokenHash: digest(ofOld), newTokenHash: digest(ofNew) }
  const values = { email, ...hashes, createdAt: now, expiresAt: new Date(now.getTime() + lifetimeMs) }
  await tx
    .insert(emailChanges)
    .values({ userId: user.id, ...values })
    .onConflictDoUpdate({ target: emailChanges.userId, set: values })
  recordChange(tx, { object: 'user', id: user.id })
  const link = (token: string) => publicUrl(`/email-change/${token}`, call.config, call.request)
  const isTaken = await isEmailRegistered(tx, email)
  const toNew = isTaken
    ? takenAddressLetter(publicUrl('/login', call.config, call.request))
    : newAddressLetter(link(ofNew))
  await call.mail.send(tx, user.email, oldAddressLetter(link(ofOld)), now)
  await call.mail.send(tx, email, toNew, now)
}

export async function getOwnEmail({ db, actor, now }: ActorCall): Promise<OwnEmailRow> {
  const [row] = await db
    .select({ email: users.email, change: emailChanges })
    .from(users)
    .leftJoin(emailChanges, and(eq(emailChanges.userId, users.id), gt(emailChanges.expiresAt, now())))
    .where(eq(users.id, personOf(actor)))
  if (!row) throw unauthorized('This account no longer exists.')
  const { email, change } = row
  return { email, pending: change && describePending(change) }
}

/** Confirming clears the token of the address. */
const describePending = ({ email, oldTokenHash, newTokenHash, expiresAt }: typeof emailChanges.$inferSelect) => ({
  email,
  confirmed: { current: oldTokenHash === null, new: newTokenHash === null },
  expiresAt,
})

export async function cancelEmailChange({ db, actor }: ActorCall): Promise<void> {
  const userId = personOf(actor)
  await db.delete(emailChanges).where(eq(emailChanges.userId, userId))
  recordChange(db, { object: 'user', id: userId })
}

/** Undefined when it was used, replaced or has expired. */
export async function findEmailChange(db: Database, token: string, now: Date) {
  const [row] = await db
    .select({ from: users.email, to: emailChanges.email })
    .from(emailChanges)
    .innerJoin(users, eq(users.id, emailChanges.userId))
    .where(byToken(token, now))
  return row
}

/** The second confirmation changes the address. @throws {Problem} 404 for a used link, 409 for a taken address */
export async function confirmEmailChange(call: Call, token: string): Promise<EmailChange> {
  const { db, now } = call
  const clearIfUsed = (column: typeof emailChanges.oldTokenHash | typeof emailChanges.newTokenHash) =>
    sql`nullif(${column}, ${digest(token)})`
  const [row] = await db
    .update(emailChanges)
    .set({ oldTokenHash: clearIfUsed(emailChanges.oldTokenHash), newTokenHash: clearIfUsed(emailChanges.newTokenHash) })
    .where(byToken(token, now()))
    .returning()
  if (!row) throw notFound('link')
  recordChange(db, { object: 'user', id: row.userId })
  if (row.oldTokenHash !== null || row.newTokenHash !== null) return { status: 'waiting', email: row.email }
  await applyEmailChange(call, row)
  return { status: 'changed', email: row.email }
}

async function applyEmailChange(call: Call, { userId, email }: { userId: string; email: string }): Promise<void> {
  const { db } = call
  const [user] = await db.select().from(users).where(eq(users.id, userId)).for('update')
  if (!user) throw notFound('link')
  await db
    .update(users)
    .set({ email, emailVerifiedAt: call.now() })
    .where(eq(users.id, userId))
    .catch((error: unknown) => {
      throw brokenConstraint(error) === 'users_email' ? emailTaken() : error
    })
  await db.delete(emailChanges).where(eq(emailChanges.userId, userId))
  // Password links were sent to a mailbox that is no longer the person's.
  await db.delete(passwordResets).where(eq(passwordResets.userId, userId))
  await sendSecurityNotice(call, db, user, 'emailChanged')
  await sendNoticeTo(call, db, email, 'This is now the email address for your Atrium account.')
}

const emailTaken = () =>
  conflict('email_taken', 'Another account started using this address in the meantime. Nothing was changed.')

const byToken = (token: string, now: Date) =>
  and(
    or(eq(emailChanges.oldTokenHash, digest(token)), eq(emailChanges.newTokenHash, digest(token))),
    gt(emailChanges.expiresAt, now),
  )
