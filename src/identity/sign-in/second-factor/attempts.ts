import { eq, inArray, sql, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import { Problem, retryLater } from '#lib/errors.ts'
import { deviceCodeTries, knownDevices, secondFactorTries } from '../../schema.ts'

/** In a row, before a wait. */
export const maxAttempts = 5
const waitMinutes = 15

/** Per person; a device that the person has signed in from before has a count of its own. */
export interface AttemptSubject {
  userId: string
  /** The id of the known device. */
  device?: string
}

interface AttemptCounter {
  table: PgTable & { waitUntil: PgColumn }
  key: PgColumn
  keyName: SQL
  subject: string
}

const counterOf = ({ userId, device }: AttemptSubject): AttemptCounter =>
  device
    ? { table: deviceCodeTries, key: deviceCodeTries.deviceId, keyName: sql`device_id`, subject: device }
    : { table: secondFactorTries, key: secondFactorTries.userId, keyName: sql`user_id`, subject: userId }

/** Counted before the check, so that a thousand concurrent requests get no more than five. @throws 429 during a wait */
export async function takeAttempt(db: Database, owner: AttemptSubject, now: Date): Promise<void> {
  const { table, keyName, subject } = counterOf(owner)
  const at = sql`${now.toISOString()}::timestamptz`
  const [taken] = await db.execute(sql`
    INSERT INTO ${table} AS known (${keyName}, tries) VALUES (${subject}, 1)
    ON CONFLICT (${keyName}) DO UPDATE SET
      tries = CASE WHEN known.wait_until IS NULL THEN known.tries + 1 ELSE 1 END,
      wait_until = CASE WHEN known.wait_until IS NULL AND known.tries + 1 >= ${maxAttempts}
        THEN ${at} + ${waitMinutes} * interval '1 minute' END
    WHERE known.wait_until IS NULL OR known.wait_until <= ${at}
    RETURNING tries`)
  if (!taken) throw await tooManyCodes(db, owner, now)
}

export async function resetAttempts(db: Database, owner: AttemptSubject): Promise<void> {
  const { table, key, subject } = counterOf(owner)
  await db.delete(table).where(eq(key, subject))
}

/** Also resets the counts of all devices. */
export async function resetAllAttempts(db: Database, userId: string): Promise<void> {
  const devices = db.select({ id: knownDevices.id }).from(knownDevices).where(eq(knownDevices.userId, userId))
  await db.delete(deviceCodeTries).where(inArray(deviceCodeTries.deviceId, devices))
  await resetAttempts(db, { userId })
}

const WaitRow = z.object({ waitUntil: z.date().nullable() })

async function tooManyCodes(db: Database, owner: AttemptSubject, now: Date): Promise<Problem> {
  const { table, key, subject } = counterOf(owner)
  const [row] = await db.select({ waitUntil: table.waitUntil }).from(table).where(eq(key, subject))
  const until = WaitRow.safeParse(row).data?.waitUntil ?? now
  const seconds = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000))
  return retryLater(
    429,
    'too_many_codes',
    `Too many incorrect codes. Wait ${Math.ceil(seconds / 60)} minutes, then sign in again.`,
    { retryAfter: seconds },
  )
}
