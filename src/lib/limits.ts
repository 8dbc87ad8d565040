import type { Database } from './db.ts'
import type { Allowance, LimitClass, Quotas } from './limits/allowance.ts'
import { createLeases } from './limits/leases.ts'
import { takeBlock } from './limits/take-block.ts'

export type { Allowance, LimitClass, Quotas } from './limits/allowance.ts'

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
