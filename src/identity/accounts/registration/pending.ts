import { and, desc, eq, gt, ne, sum } from 'drizzle-orm'
import { recordChange, auditedTransaction } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { cookieName } from '#lib/cookies.ts'
import type { Database } from '#lib/db.ts'
import { invalid, notFound } from '#lib/errors.ts'
import { digest, newId, randomToken } from '#lib/ids.ts'
import { publicUrl } from '#lib/public-url.ts'
import type { Cookie } from '#lib/reply.ts'
import { confirmationLetter, knownAccountLetter } from '#views/emails/registration.tsx'
import { isEmailRegistered, createAccount, type Account } from '../accounts.ts'
import type { Confirmation, Registration } from '../../contract.ts'
import { usesHttps } from '../../tokens/credential.ts'
import { isSlugFree, type CreationContext } from '../../organizations/organizations.ts'
import { knownCaller, unknownCaller } from '../../sign-in/passwords/hash-queue.ts'
import { verifyPassword, hashNewPassword } from '../../sign-in/passwords/passwords.ts'
import { registrations } from '../../schema.ts'
import { requireUnreserved } from '../../organizations/slugs/reserved.ts'

type Pending = typeof registrations.$inferSelect

const hourMs = 60 * 60 * 1000
const lifetimeMs = 24 * hourMs
const maxMailsPerHour = 5
const deviceCookie = 'registration'

/** Takes as long for a known address, which gets another email. Returns the browser's cookie. @throws 422 */
export async function createRegistration(call: Call, input: Registration): Promise<Cookie> {
  requireUnreserved(call, input.organizationSlug, 'organizationSlug')
  const { password, next: _, ...values } = input
  const passwordHash = await hashNewPassword(password, input.email, unknownCaller(call))
  const value = randomToken()
  const at = call.now()
  const times = { createdAt: at, expiresAt: new Date(at.getTime() + lifetimeMs) }
  const secrets = { passwordHash, deviceHash: digest(value), tokenHash: digest(randomToken()) }
  await auditedTransaction(call, async (tx) => {
    const [row] = await tx
      .insert(registrations)
      .values({ id: newId(), ...values, ...secrets, ...times })
      .returning()
    if (!row) throw new Error('The registration was not stored')
    recordChange(tx, { object: 'registration', id: row.id })
    await mailLink(call, tx, row)
  })
  return { name: deviceCookie, value, maxAge: lifetimeMs / 1000 }
}

export async function resendConfirmation(call: Call, email: string): Promise<void> {
  await auditedTransaction(call, async (tx) => {
    const [row] = await tx
      .select()
      .from(registrations)
      .where(and(eq(registrations.email, email), gt(registrations.expiresAt, call.now())))
      .orderBy(desc(registrations.createdAt))
      .limit(1)
    if (row) await mailLink(call, tx, row)
  })
}

/** Undefined when it was used, replaced or has expired. */
export async function findRegistration(call: Call, token: string) {
  const [row] = await call.db.select().from(registrations).where(byToken(token, call.now()))
  return row && { email: row.email, needsPassword: !isSameDevice(call, row) }
}

/** @throws 404; 422 in another browser: another person can have signed up; 409 for a taken address */
export async function completeRegistration(call: Call, { token, password }: Confirmation): Promise<Account> {
  const [row] = await call.db.select().from(registrations).where(byToken(token, call.now()))
  if (!row) throw notFound('registration')
  if (
    !isSameDevice(call, row) &&
    !(password !== undefined && (await verifyPassword(password, row.passwordHash, knownCaller(row.id))))
  )
    throw invalid([{ path: 'password', message: 'Incorrect password. Enter the one that was chosen at sign-up.' }])
  return auditedTransaction(call, (db) => createAccountFrom({ ...call, db }, row))
}

/** Deletes all registrations of the address; of two concurrent requests, the second gets a 404. */
async function createAccountFrom(making: CreationContext, { id, ...row }: Pending): Promise<Account> {
  const { db: tx } = making
  const [confirmed] = await tx.delete(registrations).where(eq(registrations.id, id)).returning()
  if (!confirmed) throw notFound('registration')
  await tx.delete(registrations).where(and(eq(registrations.email, row.email), ne(registrations.id, id)))
  const { organizationName, organizationSlug } = row
  // If the slug was taken in the meantime, the organization gets one from its name.
  const isFree = organizationSlug !== null && (await isSlugFree(tx, organizationSlug))
  const values = {
    organizationName: organizationName ?? undefined,
    organizationSlug: isFree ? organizationSlug : undefined,
  }
  return createAccount(making, { ...row, ...values, emailVerified: true })
}

async function mailLink(call: Call, tx: Database, { id, email }: Pending): Promise<void> {
  const { config, request, mail, now } = call
  const at = now()
  const since = new Date(at.getTime() - hourMs)
  const isRecent = and(eq(registrations.email, email), gt(registrations.mailedAt, since))
  const [mailed] = await tx
    .select({ mails: sum(registrations.mails).mapWith(Number) })
    .from(registrations)
    .where(isRecent)
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
