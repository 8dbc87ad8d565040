import type { Database } from './db.ts'
import type { Allowance, LimitClass, Quotas } from './limits/allowance.ts'
import { createLeases } from './limits/leases.ts'
import { takeBlock } from './limits/take-block.ts'

export type { Allowance, LimitClass, Quotas } from './limits/allowance.ts'

export interface Limits {
  /** Null without a limit. @throws when the database is unavailable */
  take(limit: LimitClass, subject: string, organization?: string): Promise<Allowance | null>
  giveBack(limit: LimitClass, subject: string): void
}

/**
 * A window begins with a subject's first request. Organizations have `factor` times a credential's quota; 0: no limit.
 */
export function createLimits(db: Database, quotas: Quotas, windowMs = 60_000, factor = 0): Limits {
  const ofCredentials = createLeases(db, { windowMs: windowMs, parts: 10 })
  // Smaller blocks, since an organization's requests are spread over all servers.
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
  name: string
  subject: string
  max: number
  windowMs: number
  /** Of the quota; 1 when not set. */
  count?: number
}

export async function countWithinQuota(
  db: Database,
  { name, subject, max, windowMs, count = 1 }: Quota,
): Promise<boolean> {
  return (await takeBlock(db, { subject, limit: name, block: count, windowMs: windowMs })).taken <= max
}
