import { and, eq, gt, ne, sql } from 'drizzle-orm'
import { recordChange, auditedTransaction } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { notFound } from '#lib/errors.ts'
import { digest, newId, randomToken } from '#lib/ids.ts'
import { publicUrl } from '#lib/public-url.ts'
import { passwordResetLetter } from '#views/emails/password-reset.tsx'
import { withMinimumDuration } from '../../http/responses.ts'
import { countMail } from '../mail-quota.ts'
import { confirmMailbox, removeUnverifiedIdentities } from '../confirm-mailbox.ts'
import { deleteMailedLinks } from '../mailed-links.ts'
import { endOtherSessions } from '../../sign-in/own-sessions.ts'
import { knownCaller } from '../../sign-in/passwords/hash-queue.ts'
import { hashNewPassword } from '../../sign-in/passwords/passwords.ts'
import { findVerifiedRecovery } from '../recovery-email/verified.ts'
import { emailChanges, passwordResets, users } from '../../schema.ts'
import { sendNotices } from '../security-notices.ts'
import { deleteDevices } from '../../sign-in/devices/known-devices.ts'
import { resetThrottle } from '../../sign-in/login-throttle.ts'
import type { PasswordReset, SignInMethodRow } from './contract.ts'
import { hasTotp } from '../../sign-in/totp/totp.ts'
import { listSignInMethods, removeSignInMethods } from './sign-in-methods.ts'

const lifetimeMs = 30 * 60 * 1000

/** Takes the same time for unknown addresses. */
export const requestReset = (call: Call, email: string): Promise<void> =>
  withMinimumDuration(async () => {
    if (await countMail(call, email)) await auditedTransaction(call, (tx) => mailLink(call, tx, email))
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
  recordChange(tx, { object: 'user', id: user.id })
  const letter = passwordResetLetter(publicUrl(`/password-reset/${token}`, call.config, call.request))
  for (const to of [user.email, await findVerifiedRecovery(tx, user.id)])
    if (to) await call.mail.send(tx, to, letter, now)
}

async function findReset(db: Database, token: string, now: Date) {
  const [found] = await db
    .select({ userId: users.id, email: users.email, createdAt: users.createdAt })
    .from(passwordResets)
    .innerJoin(users, eq(users.id, passwordResets.userId))
    .where(byToken(token, now))
  return found
}

/** @throws {Problem} 404 when the link was used or has expired */
export async function getReset({ db, config, now }: Pick<Call, 'db' | 'config' | 'now'>, token: string) {
  const found = await findReset(db, token, now())
  if (!found) throw notFound('link')
  return {
    email: found.email,
    methods: await listSignInMethods(db, { ...found, id: found.userId }, { config, now: now() }),
  }
}

/** Ends sessions, known devices and emailed links; removes new sign-in methods by default. @throws 404, 422 */
export async function resetPassword(call: Call, { token, password, remove }: PasswordReset): Promise<void> {
  const now = call.now()
  const found = await findReset(call.db, token, now)
  if (!found) throw notFound('link')
  const passwordHash = await hashNewPassword(password, found.email, knownCaller(found.userId))
  await auditedTransaction(call, async (tx) => {
    const [used] = await tx.delete(passwordResets).where(byToken(token, now)).returning()
    if (!used) throw notFound('link')
    const [user] = await tx.update(users).set({ passwordHash }).where(eq(users.id, used.userId)).returning()
    if (!user) throw notFound('link')
    recordChange(tx, { object: 'user', id: user.id, by: user, before: { password: 1 }, after: { password: 2 } })
    // The link can have been opened in the recovery mailbox: then it proves nothing about the account's own.
    if ((await findVerifiedRecovery(tx, user.id)) === undefined) await confirmMailbox(tx, call, user.id)
    await removeUnverifiedIdentities(tx, call.events, user.id)
    await revokeAccess(call, tx, user)
    const ways = await listSignInMethods(tx, user, { config: call.config, now })
    const ends = (way: SignInMethodRow) => !way.isLocked && (remove?.includes(way.id) ?? way.isNew)
    await removeSignInMethods(tx, user.id, ways.filter(ends))
    const [ended, left] = [ways.filter(ends), ways.filter((way) => !ends(way))]
    const stays = (await hasTotp(tx, user.id)) ? [totpStays] : []
    const lists = [...formatList('Removed', ended), ...formatList('Can still sign in', left)]
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
  'The password for your Atrium account was reset with an emailed link, and you were signed out everywhere.'

const totpStays = 'Your authenticator app wasn’t removed, so you still need its code to sign in.'

const formatList = (title: string, ways: SignInMethodRow[]): string[] =>
  ways.length === 0 ? [] : [`${title}: ${ways.map(formatMethod).join(', ')}.`]

const formatMethod = ({ kind, name }: SignInMethodRow): string => (kind === 'passkey' ? `the passkey “${name}”` : name)

const byToken = (token: string, now: Date) =>
  and(eq(passwordResets.tokenHash, digest(token)), gt(passwordResets.expiresAt, now))
