import { and, eq, max, or, sql } from 'drizzle-orm'
import { networkOf, siteOf } from '#lib/address.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { retryLater } from '#lib/errors.ts'
import { digest } from '#lib/ids.ts'
import { signInFailures } from '../schema.ts'

type Failure = typeof signInFailures.$inferSelect

export type ThrottleSubject = Pick<Failure, 'kind' | 'subject'>

/** Reauthentication in a session or through a link has a count of its own. */
export const reauthenticationSubjects = (userId: string): ThrottleSubject[] => [{ kind: 'proof', subject: userId }]

const accountOf = (email: string): ThrottleSubject => ({ kind: 'account', subject: digest(email) })

/** A known device counts only for itself, so attempts by strangers lock no one out. */
export function throttleSubjects(
  { request: { address } }: Call,
  email: string,
  knownDevice: string | undefined,
): ThrottleSubject[] {
  if (knownDevice) return [{ kind: 'device', subject: knownDevice }]
  const account = accountOf(email)
  if (address === null) return [account]
  const byNetwork: ThrottleSubject[] = [account, { kind: 'address', subject: networkOf(address) }]
  return siteOf(address) === address ? byNetwork : [...byNetwork, { kind: 'site', subject: siteOf(address) }]
}

/**
 * A wrong password counts for every subject, a right one resets them. The wait is checked again after verification,
 * so that concurrent attempts get no more answers than sequential ones. @throws 429 while one of the subjects must
 * wait (IDN-02)
 */
export async function verifyThrottled(
  call: Call,
  by: ThrottleSubject[],
  isRight: () => Promise<boolean>,
): Promise<boolean> {
  const { db, now } = call
  await requireNoWait(db, by, now())
  const right = await isRight()
  if (!right && (await countFailure(db, by, now()))) return false
  await requireNoWait(db, by, now())
  if (right) await db.delete(signInFailures).where(matchesAny(by))
  return right
}

const matchesAny = (by: ThrottleSubject[]) =>
  or(...by.map(({ kind, subject }) => and(eq(signInFailures.kind, kind), eq(signInFailures.subject, subject))))

async function requireNoWait(db: Database, by: ThrottleSubject[], now: Date): Promise<void> {
  const [row] = await db
    .select({ until: max(signInFailures.waitsUntil) })
    .from(signInFailures)
    .where(matchesAny(by))
  const seconds = Math.ceil(((row?.until?.getTime() ?? 0) - now.getTime()) / 1000)
  if (seconds > 0) throw signInSlowed(seconds)
}

const signInSlowed = (seconds: number) =>
  retryLater(429, 'sign_in_throttled', `Too many wrong passwords. Try again in ${formatWait(seconds)}.`, {
    retryAfter: seconds,
  })

const formatWait = (seconds: number): string =>
  seconds < 120 ? `${seconds} ${seconds === 1 ? 'second' : 'seconds'}` : `${Math.ceil(seconds / 60)} minutes`

/** Wrong passwords before a wait; for networks, every so many in a row. */
const freeFailures = 5
const freeFailuresPerAddress = 10
const freeFailuresPerSite = 50
/** An account’s wait begins with one second and doubles up to this. */
const maxWaitSeconds = 15 * 60
const addressWaitSeconds = 10 * 60

/** In one statement; false when a subject waits by now. Sorted by kind, so that two statements can’t deadlock. */
async function countFailure(db: Database, by: ThrottleSubject[], now: Date): Promise<boolean> {
  const at = sql`${now.toISOString()}::timestamptz`
  const rows = by.map(({ kind, subject }) => sql`(${kind}, ${subject}, 1, ${at}, ${at})`)
  const count = sql`CASE WHEN known.last_failed_at <= ${at} - interval '1 day' THEN 1 ELSE known.failures + 1 END`
  const counted = await db.execute(sql`
    INSERT INTO ${signInFailures} AS known (kind, subject, failures, last_failed_at, waits_until)
    VALUES ${sql.join(rows, sql`, `)}
    ON CONFLICT (kind, subject) DO UPDATE SET failures = ${count}, last_failed_at = ${at},
      waits_until = ${at} + interval '1 second' * CASE
        WHEN known.kind = 'address' THEN CASE WHEN (${count}) % ${freeFailuresPerAddress} = 0 THEN ${addressWaitSeconds} ELSE 0 END
        WHEN known.kind = 'site' THEN CASE WHEN (${count}) % ${freeFailuresPerSite} = 0 THEN ${addressWaitSeconds} ELSE 0 END
        WHEN (${count}) < ${freeFailures} THEN 0
        ELSE least(${maxWaitSeconds}, power(2, least((${count}) - ${freeFailures}, 20))) END
    WHERE known.waits_until <= ${at}
    RETURNING known.kind`)
  return counted.length === by.length
}

export async function resetThrottle(db: Database, email: string): Promise<void> {
  await db.delete(signInFailures).where(matchesAny([accountOf(email.toLowerCase())]))
}
