import { and, eq, gt, ne, sql } from 'drizzle-orm'
import { audited, auditedStep } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { notFound } from '#lib/errors.ts'
import { digest, newId, randomToken } from '#lib/ids.ts'
import { publicUrl } from '#lib/public-url.ts'
import { passwordResetLetter } from '#views/emails/password-reset.tsx'
import { withMinimumDuration } from '../minimum-duration.ts'
import { countMail } from '../mail-quota.ts'
import { confirmMailbox, removeUnverifiedIdentities } from '../mailbox-proof.ts'
import { deleteMailedLinks } from '../mailed-links.ts'
import { endOtherSessions } from '../own-sessions.ts'
import { knownCaller } from '../hash-queue.ts'
import { hashNewPassword } from '../passwords.ts'
import { findVerifiedRecovery } from '../recovery-email/verified.ts'
import { emailChanges, passwordResets, users } from '../schema.ts'
import { sendNotices } from '../security-notices.ts'
import { deleteDevices } from '../sign-in/known-devices.ts'
import { resetThrottle } from '../sign-in/slowdown.ts'
import type { PasswordReset } from './contract.ts'
import { hasTotp } from '../totp/totp.ts'
import { removeSignInWays, listSignInWays, type SignInWay } from './ways-in.ts'

/** Milliseconds that a link works. */
const lifetimeMs = 30 * 60 * 1000

/** Mails whoever has this address a link, also to their recovery address; nothing to anybody else, in the same time. */
export const requestReset = (call: Call, email: string): Promise<void> =>
  withMinimumDuration(async () => {
    if (await countMail(call, email)) await auditedStep(call, (tx) => mailLink(call, tx, email))
  })

async function mailLink(call: Call, tx: Database, email: string): Promise<void> {
  const [user] = await tx
    .select()
    .from(users)
    .where(and(eq(sql`lower(${users.email})`, email), ne(users.principalType, 'agent')))
  if (!user) return
  const [token, now] = [randomToken(), call.now()]
  const times = { createdAt: now, expiresAt: new Date(now.getTime() + lifetimeMs) }
  await tx.insert(passwordResets).values({ id: newId(), userId: user.id, tokenHash: digest(token), ...times })
  audited(tx, { object: 'user', id: user.id })
  const letter = passwordResetLetter(publicUrl(`/password-reset/${token}`, call.config, call.request))
  for (const to of [user.email, await findVerifiedRecovery(tx, user.id)])
    if (to) await call.mail.send(tx, to, letter, now)
}

/** Whose password a link changes; undefined when it was used or has expired. */
export async function findReset(db: Database, token: string, now: Date) {
  const [found] = await db
    .select({ userId: users.id, email: users.email, createdAt: users.createdAt })
    .from(passwordResets)
    .innerJoin(users, eq(users.id, passwordResets.userId))
    .where(byToken(token, now))
  return found
}

/**
 * Sets the account's password and ends what was opened before: sessions, known devices, mailed links, a pending change of
 * the address, and the passkeys and identities in `remove` (those added in the last 30 days when not said). Throws 404
 * for a link that no longer works, 422 for an unfit password.
 */
export async function resetPassword(call: Call, { token, password, remove }: PasswordReset): Promise<void> {
  const now = call.now()
  const found = await findReset(call.db, token, now)
  if (!found) throw notFound('link')
  const passwordHash = await hashNewPassword(password, found.email, knownCaller(found.userId))
  await auditedStep(call, async (tx) => {
    const [spent] = await tx.delete(passwordResets).where(byToken(token, now)).returning()
    if (!spent) throw notFound('link')
    const [user] = await tx.update(users).set({ passwordHash }).where(eq(users.id, spent.userId)).returning()
    if (!user) throw notFound('link')
    audited(tx, { object: 'user', id: user.id, by: user, before: { password: 1 }, after: { password: 2 } })
    // The same link was mailed to the recovery address, where there is one.
    if ((await findVerifiedRecovery(tx, user.id)) === undefined) await confirmMailbox(tx, call, user.id)
    await removeUnverifiedIdentities(tx, call.events, user.id)
    await revokeAccess(call, tx, user)
    const ways = await listSignInWays(tx, user, { config: call.config, now })
    const ends = (way: SignInWay) => !way.isLocked && (remove?.includes(way.id) ?? way.isNew)
    await removeSignInWays(tx, user.id, ways.filter(ends))
    const [ended, left] = [ways.filter(ends), ways.filter((way) => !ends(way))]
    const stays = (await hasTotp(tx, user.id)) ? [totpStays] : []
    const lists = [...formatList('Removed', ended), ...formatList('Still signing you in', left)]
    await sendNotices(call, tx, user, [resetNotice, ...lists, ...stays])
  })
}

async function revokeAccess(call: Call, tx: Database, { id, email }: { id: string; email: string }): Promise<void> {
  await deleteMailedLinks(tx, id)
  await tx.delete(emailChanges).where(eq(emailChanges.userId, id))
  await deleteDevices(tx, id)
  await resetThrottle(tx, email)
  await endOtherSessions(tx, call, id)
}

const resetNotice =
  'A new password was chosen for your Atrium account by a mailed link, and all its sessions were ended.'

const totpStays = 'Your authenticator app stays: signing in still asks for its code.'

const formatList = (title: string, ways: SignInWay[]): string[] =>
  ways.length === 0 ? [] : [`${title}: ${ways.map(formatMethod).join(', ')}.`]

const formatMethod = ({ kind, name }: SignInWay): string => (kind === 'passkey' ? `the passkey “${name}”` : name)

const byToken = (token: string, now: Date) =>
  and(eq(passwordResets.tokenHash, digest(token)), gt(passwordResets.expiresAt, now))
