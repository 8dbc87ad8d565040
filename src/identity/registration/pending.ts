import { and, desc, eq, gt, ne, sum } from 'drizzle-orm'
import { audited, auditedStep } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { cookieName } from '#lib/cookies.ts'
import type { Database } from '#lib/db.ts'
import { invalid, notFound } from '#lib/errors.ts'
import { digest, newId, randomToken } from '#lib/ids.ts'
import { publicUrl } from '#lib/public-url.ts'
import type { Cookie } from '#lib/reply.ts'
import { confirmationLetter, knownAccountLetter } from '#views/emails/registration.tsx'
import { isEmailRegistered, createAccount, type Account } from '../accounts.ts'
import type { Confirmation, Registration } from '../contract.ts'
import { usesHttps } from '../credential.ts'
import { isSlugFree, type CreationContext } from '../organizations.ts'
import { knownCaller, unknownCaller } from '../hash-queue.ts'
import { verifyPassword, hashNewPassword } from '../passwords.ts'
import { registrations } from '../schema.ts'
import { requireUnreserved } from '../slugs/reserved.ts'

type Pending = typeof registrations.$inferSelect

const hourMs = 60 * 60 * 1000
/** Milliseconds that a registration waits for its confirmation. */
const lifetimeMs = 24 * hourMs
/** Mails to one address within an hour, whoever asks for them. */
const maxMailsPerHour = 5
const deviceCookie = 'registration'

/**
 * Keeps a registration until whoever reads the mailbox confirms it, and mails them. A known address takes the same way
 * and the same time, and gets another mail. Answers the cookie by which the browser is known again. Throws 422 for a
 * reserved slug.
 */
export async function createRegistration(call: Call, input: Registration): Promise<Cookie> {
  requireUnreserved(call, input.organizationSlug, 'organizationSlug')
  const { password, next: _, ...wish } = input
  const passwordHash = await hashNewPassword(password, input.email, unknownCaller(call))
  const value = randomToken()
  const at = call.now()
  const times = { createdAt: at, expiresAt: new Date(at.getTime() + lifetimeMs) }
  const secrets = { passwordHash, deviceHash: digest(value), tokenHash: digest(randomToken()) }
  await auditedStep(call, async (tx) => {
    const [row] = await tx
      .insert(registrations)
      .values({ id: newId(), ...wish, ...secrets, ...times })
      .returning()
    if (!row) throw new Error('The registration was not stored')
    audited(tx, { object: 'registration', id: row.id })
    await mailLink(call, tx, row)
  })
  return { name: deviceCookie, value, maxAge: lifetimeMs / 1000 }
}

/** Mails the newest registration of an address again, with a new link; does nothing where none waits. */
export async function resendConfirmation(call: Call, email: string): Promise<void> {
  await auditedStep(call, async (tx) => {
    const [row] = await tx
      .select()
      .from(registrations)
      .where(and(eq(registrations.email, email), gt(registrations.expiresAt, call.now())))
      .orderBy(desc(registrations.createdAt))
      .limit(1)
    if (row) await mailLink(call, tx, row)
  })
}

/** What a link leads to; undefined when it was used, replaced or has expired. */
export async function findRegistration(call: Call, token: string) {
  const [row] = await call.db.select().from(registrations).where(byToken(token, call.now()))
  return row && { email: row.email, needsPassword: !isSameDevice(call, row) }
}

/**
 * Makes the account. Throws 404 for a link that is worth nothing, 422 without the password that was chosen (somebody
 * else may have chosen it, for an address that isn't theirs), 409 when the address has an account by now.
 */
export async function completeRegistration(call: Call, { token, password }: Confirmation): Promise<Account> {
  const [row] = await call.db.select().from(registrations).where(byToken(token, call.now()))
  if (!row) throw notFound('registration')
  if (
    !isSameDevice(call, row) &&
    !(password !== undefined && (await verifyPassword(password, row.passwordHash, knownCaller(row.id))))
  )
    throw invalid([{ path: 'password', message: 'This is not the password that was chosen when signing up.' }])
  return auditedStep(call, (db) => createAccountFrom({ ...call, db }, row))
}

/** Of two that follow one link at once, the second finds nothing. Other registrations of the address are off too. */
async function createAccountFrom(making: CreationContext, { id, ...row }: Pending): Promise<Account> {
  const { db: tx } = making
  const [spent] = await tx.delete(registrations).where(eq(registrations.id, id)).returning()
  if (!spent) throw notFound('registration')
  await tx.delete(registrations).where(and(eq(registrations.email, row.email), ne(registrations.id, id)))
  const { organizationName, organizationSlug } = row
  // Somebody may have taken the address of the workspace since: then it gets one by its name.
  const isFree = organizationSlug !== null && (await isSlugFree(tx, organizationSlug))
  const wish = {
    organizationName: organizationName ?? undefined,
    organizationSlug: isFree ? organizationSlug : undefined,
  }
  return createAccount(making, { ...row, ...wish, emailVerified: true })
}

async function mailLink(call: Call, tx: Database, { id, email }: Pending): Promise<void> {
  const { config, request, mail, now } = call
  const at = now()
  const since = new Date(at.getTime() - hourMs)
  const lately = and(eq(registrations.email, email), gt(registrations.mailedAt, since))
  const [mailed] = await tx
    .select({ mails: sum(registrations.mails).mapWith(Number) })
    .from(registrations)
    .where(lately)
  if ((mailed?.mails ?? 0) >= maxMailsPerHour) return
  const token = randomToken()
  const link = (path: string) => publicUrl(path, config, request)
  const letter = (await isEmailRegistered(tx, email))
    ? knownAccountLetter(link('/login'))
    : confirmationLetter(link(`/register/confirm/${token}`))
  const [row] = await tx.select({ mails: registrations.mails }).from(registrations).where(eq(registrations.id, id))
  const set = { tokenHash: digest(token), mails: (row?.mails ?? 0) + 1, mailedAt: at }
  await tx.update(registrations).set(set).where(eq(registrations.id, id))
  await mail.send(tx, email, letter, at)
}

const isSameDevice = ({ request, config }: Call, { deviceHash }: Pending): boolean => {
  const value = request.cookies.get(cookieName(deviceCookie, usesHttps(config)))
  return value !== undefined && digest(value) === deviceHash
}

const byToken = (token: string, now: Date) =>
  and(eq(registrations.tokenHash, digest(token)), gt(registrations.expiresAt, now))
