import type { Database } from './db.ts'
import { createLeases } from './limits/leases.ts'
import { takeBlock } from './limits/take-block.ts'

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
  resetsInSeconds: number
  /** Seconds that a window lasts. */
  windowSeconds: number
  /** Whether it is what all credentials of the organization have together. */
  shared?: boolean
}

/** Limits of requests that hold over all servers of a database (PLT-14). */
export interface Limits {
  /**
   * Takes one request of a subject's allowance, and of its organization's where it has one; null where nothing is
   * limited. Throws when the database is away.
   */
  take(limit: LimitClass, subject: string, organization?: string): Promise<Allowance | null>
  /** Gives back one request that was taken, if its window still runs. */
  giveBack(limit: LimitClass, subject: string): void
}

/**
 * Limits with `window` milliseconds from a subject's first request to its next allowance. Each organization has `factor`
 * times a credential's quota; 0 for any number.
 */
export function createLimits(db: Database, quotas: Quotas, windowMs = 60_000, factor = 0): Limits {
  const ofCredentials = createLeases(db, { windowMs: windowMs, parts: 10 })
  // Finer parts: an organization's people are spread over all servers.
  const ofOrganizations = createLeases(db, { windowMs: windowMs, parts: 50 })
  return {
    take: async (limit, subject, organization) => {
      const allowance = await ofCredentials.take(limit, subject, quotas[limit])
      if (organization === undefined || allowance?.granted === false) return allowance
      const shared = await ofOrganizations.take(limit, `organization:${organization}`, quotas[limit] * factor)
      return shared?.granted === false ? { ...shared, shared: true } : allowance
    },
    giveBack: (limit, subject) => ofCredentials.giveBack(limit, subject),
  }
}

interface Quota {
  /** What is counted. */
  name: string
  subject: string
  max: number
  /** Milliseconds from the first to the next allowance. */
  windowMs: number
}

/** Whether one more of it is within the subject's quota, which holds over all servers of the database; counts it. */
export async function countWithinQuota(db: Database, { name, subject, max, windowMs }: Quota): Promise<boolean> {
  return (await takeBlock(db, { subject, limit: name, block: 1, windowMs: windowMs })).taken <= max
}
