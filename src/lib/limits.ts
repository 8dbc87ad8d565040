import { lte, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from './db.ts'
import { rateLimits } from './schema.ts'

/** What a request counts as. */
export type LimitClass = 'reads' | 'writes' | 'uploads' | 'sign-in' | 'ai' | 'ingestion'

/** Requests in a minute; 0 for any number. */
export type Quotas = Readonly<Record<LimitClass, number>>

/** Where a caller stands in their running window. */
export interface Allowance {
  granted: boolean
  class: LimitClass
  quota: number
  /** Requests left, as far as this process knows. */
  remaining: number
  /** Seconds until the window ends. */
  resetsIn: number
  /** Seconds that a window lasts. */
  window: number
}

/** Limits of requests that hold over all servers of a database (PLT-14). */
export interface Limits {
  /** Takes one request of a subject's allowance; null where nothing is limited. Throws when the database is away. */
  take(limit: LimitClass, subject: string): Promise<Allowance | null>
  /** Gives back one request that was taken, if its window still runs. */
  giveBack(limit: LimitClass, subject: string): void
}

/** A part of a subject's allowance that this process may give out by itself. */
interface Lease {
  left: number
  /** What the database still had to give after it. */
  behind: number
  /** By this process's own clock. */
  endsAt: number
}

const mostLeases = 20_000
const Answer = z.object({ taken: z.coerce.number(), remaining: z.coerce.number() })

/** The block in which a process takes requests from the database: a tenth, so that most requests ask it nothing. */
const blockOf = (quota: number): number => (quota < 20 ? 1 : Math.ceil(quota / 10))

/** Limits with `window` milliseconds from a subject's first request to its next allowance. */
export function createLimits(db: Database, quotas: Quotas, window = 60_000): Limits {
  const leases = new Map<string, Lease>()
  const asking = new Map<string, Promise<void>>()

  async function lease(limit: LimitClass, subject: string, name: string): Promise<void> {
    const [quota, before] = [quotas[limit], performance.now()]
    const block = blockOf(quota)
    const { taken, remaining } = await takeBlock(db, subject, limit, block, window)
    const left = Math.min(block, Math.max(0, quota - (taken - block)))
    if (leases.size >= mostLeases) forgetSome(leases)
    leases.set(name, { left, behind: Math.max(0, quota - taken), endsAt: before + remaining })
  }

  /** One question at a time for each subject: whoever else comes waits for its answer. */
  function leaseOnce(limit: LimitClass, subject: string, name: string): Promise<void> {
    const question = asking.get(name) ?? lease(limit, subject, name).finally(() => asking.delete(name))
    asking.set(name, question)
    return question
  }

  return {
    take: async (limit, subject) => {
      const quota = quotas[limit]
      if (quota === 0) return null
      const name = `${limit} ${subject}`
      for (;;) {
        const known = leases.get(name)
        const inTime = known && known.endsAt > performance.now()
        if (inTime && (known.left > 0 || known.behind === 0)) {
          const granted = known.left > 0
          if (granted) known.left -= 1
          const resetsIn = Math.max(1, Math.ceil((known.endsAt - performance.now()) / 1000))
          const remaining = known.left + known.behind
          return { granted, class: limit, quota, remaining, resetsIn, window: window / 1000 }
        }
        await leaseOnce(limit, subject, name)
      }
    },
    giveBack: (limit, subject) => {
      const known = leases.get(`${limit} ${subject}`)
      if (known && known.endsAt > performance.now()) known.left += 1
    },
  }
}

interface Quota {
  /** What is counted. */
  name: string
  subject: string
  most: number
  /** Milliseconds from the first to the next allowance. */
  window: number
}

/** Whether one more of it is within the subject's quota, which holds over all servers of the database; counts it. */
export async function withinQuota(db: Database, { name, subject, most, window }: Quota): Promise<boolean> {
  return (await takeBlock(db, subject, name, 1, window)).taken <= most
}

/** One statement, by the database's clock: servers' own may differ. It may give out more than there is: see `lease`. */
async function takeBlock(db: Database, subject: string, limit: string, block: number, window: number) {
  const end = sql`clock_timestamp() + ${window} * interval '1 millisecond'`
  const [row] = await db.execute(sql`
    INSERT INTO ${rateLimits} AS known (subject, class, taken, resets_at)
    VALUES (${subject}, ${limit}, ${block}, ${end})
    ON CONFLICT (subject, class) DO UPDATE SET
      taken = CASE WHEN known.resets_at <= clock_timestamp() THEN ${block} ELSE known.taken + ${block} END,
      resets_at = CASE WHEN known.resets_at <= clock_timestamp() THEN ${end} ELSE known.resets_at END
    RETURNING taken, extract(epoch FROM resets_at - clock_timestamp()) * 1000 AS remaining`)
  return Answer.parse(row)
}

/** Leases whose time is over; else the oldest, whose rest is lost to its subject. */
function forgetSome(leases: Map<string, Lease>): void {
  const [oldest] = leases.keys()
  if (oldest !== undefined) leases.delete(oldest)
  for (const [name, { endsAt }] of leases) if (endsAt <= performance.now()) leases.delete(name)
}

/** Forgets the windows that are over. */
export async function forgetAllowances(db: Database): Promise<void> {
  await db.delete(rateLimits).where(lte(rateLimits.resetsAt, sql`now()`))
}
