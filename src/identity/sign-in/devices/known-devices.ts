import { and, eq, inArray, notInArray, sql } from 'drizzle-orm'
import { networkOf } from '#lib/address.ts'
import type { Call } from '#lib/call.ts'
import { cookieName } from '#lib/cookies.ts'
import type { Database } from '#lib/db.ts'
import { digest, newId, randomToken } from '#lib/ids.ts'
import type { Cookie } from '#lib/reply.ts'
import { isBrowser, usesHttps } from '../../tokens/credential.ts'
import { knownDevices, users } from '../../schema.ts'
import { deviceLifetime } from '../../tenant-data/rules.ts'
import { deviceName } from './device-name.ts'

const dayMs = 24 * 60 * 60 * 1000
/** Per browser: each account has its own token in the cookie. */
const maxAccounts = 5
const name = 'device'

export async function findKnownDevice(call: Call, email: string): Promise<string | undefined> {
  const marks = tokensOf(call).map(browserMark)
  if (marks.length === 0) return undefined
  const [device] = await call.db
    .select({ id: knownDevices.id })
    .from(knownDevices)
    .innerJoin(users, eq(users.id, knownDevices.userId))
    .where(and(eq(sql`lower(${users.email})`, email), inArray(knownDevices.mark, marks)))
  return device?.id
}

interface RememberedDevice {
  isNew: boolean
  cookies: Cookie[]
}

/** A browser gets a new token, never the one that it sent: another person can have planted that. */
export const rememberDevice = (tx: Database, call: Call, userId: string): Promise<RememberedDevice> =>
  isBrowser(call.request) ? rememberBrowser(tx, call, userId) : rememberProgram(tx, call, userId)

async function rememberBrowser(tx: Database, call: Call, userId: string): Promise<RememberedDevice> {
  const tokens = tokensOf(call)
  const known = await findDevice(tx, userId, tokens.map(browserMark))
  if (known) await touchDevice(tx, known, call.now())
  if (known) return { isNew: false, cookies: [deviceCookie(tokens)] }
  const token = randomToken()
  await addDevice(tx, userId, browserMark(token), call.now())
  return { isNew: true, cookies: [deviceCookie([token, ...tokens].slice(0, maxAccounts))] }
}

async function rememberProgram(tx: Database, call: Call, userId: string): Promise<RememberedDevice> {
  const mark = programMark(call)
  const known = await findDevice(tx, userId, [mark])
  if (known) await touchDevice(tx, known, call.now())
  return { isNew: !known && (await addDevice(tx, userId, mark, call.now())), cookies: [] }
}

async function findDevice(tx: Database, userId: string, marks: string[]) {
  if (marks.length === 0) return undefined
  const [device] = await tx
    .select()
    .from(knownDevices)
    .where(and(eq(knownDevices.userId, userId), inArray(knownDevices.mark, marks)))
  return device
}

/** Writes once a day: concurrent sign-ins of one program must not wait for the same row. */
async function touchDevice(
  tx: Database,
  { id, lastUsedAt }: typeof knownDevices.$inferSelect,
  now: Date,
): Promise<void> {
  if (now.getTime() - lastUsedAt.getTime() < dayMs) return
  await tx.update(knownDevices).set({ lastUsedAt: now }).where(eq(knownDevices.id, id))
}

/** False when a concurrent request added it. */
async function addDevice(tx: Database, userId: string, mark: string, now: Date): Promise<boolean> {
  const values = { id: newId(), userId, mark, createdAt: now, lastUsedAt: now }
  const added = await tx.insert(knownDevices).values(values).onConflictDoNothing().returning({ id: knownDevices.id })
  return added.length > 0
}

export async function deleteDevices(tx: Database, userId: string): Promise<void> {
  await tx.delete(knownDevices).where(eq(knownDevices.userId, userId))
}

/** Keeps the requesting device. */
export async function deleteOtherDevices(tx: Database, call: Call, userId: string): Promise<void> {
  const own = isBrowser(call.request) ? tokensOf(call).map(browserMark) : [programMark(call)]
  const theirs = own.length > 0 ? notInArray(knownDevices.mark, own) : undefined
  await tx.delete(knownDevices).where(and(eq(knownDevices.userId, userId), theirs))
}

const deviceCookie = (tokens: string[]): Cookie => ({ name, value: tokens.join('.'), maxAge: deviceLifetime / 1000 })

const tokensOf = ({ request, config }: Call): string[] =>
  (request.cookies.get(cookieName(name, usesHttps(config))) ?? '')
    .split('.')
    .filter((token) => /^[\w-]{43}$/.test(token))
    .slice(0, maxAccounts)

const browserMark = (token: string): string => `browser ${digest(token)}`

/** Programs keep no cookies: they are recognized by name and network. */
const programMark = ({ request: { headers, address } }: Call): string =>
  `program ${digest(`${deviceName(headers.get('user-agent'))} ${address && networkOf(address)}`)}`
