import { and, eq, gt, lte, ne, sql } from 'drizzle-orm'
import { audited, auditedStep } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { notFound } from '#lib/errors.ts'
import { digest, newId, randomToken } from '#lib/ids.ts'
import { publicUrl } from '#lib/public-url.ts'
import { passwordResetLetter } from '#views/emails/password-reset.tsx'
import { evenly } from '../even-time.ts'
import { mayMail } from '../mail-quota.ts'
import { forgetMailedLinks } from '../mailed-links.ts'
import { endOtherSessions } from '../own-sessions.ts'
import { newPasswordHash } from '../passwords.ts'
import { verifiedRecovery } from '../recovery-email/verified.ts'
import { emailChanges, passwordResets, users } from '../schema.ts'
import { tellOfAccount } from '../security-notices.ts'
import { forgetDevices } from '../sign-in/known-devices.ts'
import { forgetGuesses } from '../sign-in/slowdown.ts'
import type { PasswordReset } from './contract.ts'

/** Milliseconds that a link works. */
const lifetime = 30 * 60 * 1000

/** Mails whoever has this address a link, also to their recovery address; nothing to anybody else, in the same time. */
export const askForReset = (call: Call, email: string): Promise<void> =>
  evenly(async () => {
    if (await mayMail(call, email)) await auditedStep(call, (tx) => mailLink(call, tx, email))
  })

async function mailLink(call: Call, tx: Database, email: string): Promise<void> {
  const [user] = await tx
    .select()
    .from(users)
    .where(and(eq(sql`lower(${users.email})`, email), ne(users.principalType, 'agent')))
  if (!user) return
  const [token, now] = [randomToken(), call.now()]
  const times = { createdAt: now, expiresAt: new Date(now.getTime() + lifetime) }
  await tx.insert(passwordResets).values({ id: newId(), userId: user.id, tokenHash: digest(token), ...times })
  audited(tx, { object: 'user', id: user.id })
  const letter = passwordResetLetter(publicUrl(`/password-reset/${token}`, call.config, call.request))
  for (const to of [user.email, await verifiedRecovery(tx, user.id)]) if (to) await call.mail.send(tx, to, letter, now)
}

/** Whose password a link changes; undefined when it was used or has expired. */
export async function openReset(db: Database, token: string, now: Date) {
  const [found] = await db
    .select({ userId: users.id, email: users.email })
    .from(passwordResets)
    .innerJoin(users, eq(users.id, passwordResets.userId))
    .where(byToken(token, now))
  return found
}

/**
 * Gives the account the password, and ends all that was opened by the one before: sessions, known devices, links, a
 * change of the address that waits. Throws 404 for a link that is worth nothing, 422 for a password that is unfit.
 */
export async function resetPassword(call: Call, { token, password }: PasswordReset): Promise<void> {
  const now = call.now()
  const found = await openReset(call.db, token, now)
  if (!found) throw notFound('link')
  const passwordHash = await newPasswordHash(password, found.email)
  await auditedStep(call, async (tx) => {
    const [spent] = await tx.delete(passwordResets).where(byToken(token, now)).returning()
    if (!spent) throw notFound('link')
    const [user] = await tx.update(users).set({ passwordHash }).where(eq(users.id, spent.userId)).returning()
    if (!user) throw notFound('link')
    audited(tx, { object: 'user', id: user.id, by: user, before: { password: 1 }, after: { password: 2 } })
    await endWhatWasOpen(call, tx, user)
    await tellOfAccount(call, tx, user, 'passwordReset')
  })
}

async function endWhatWasOpen(call: Call, tx: Database, { id, email }: { id: string; email: string }): Promise<void> {
  await forgetMailedLinks(tx, id)
  await tx.delete(emailChanges).where(eq(emailChanges.userId, id))
  await forgetDevices(tx, id)
  await forgetGuesses(tx, email)
  await endOtherSessions(tx, call, id)
}

/** Forgets the links whose time is over. */
export async function forgetResets(db: Database, now: Date): Promise<void> {
  await db.delete(passwordResets).where(lte(passwordResets.expiresAt, now))
}

const byToken = (token: string, now: Date) =>
  and(eq(passwordResets.tokenHash, digest(token)), gt(passwordResets.expiresAt, now))
