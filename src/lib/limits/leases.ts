import type { Database } from '../db.ts'
import type { Allowance, LimitClass } from './allowance.ts'
import { takeBlock } from './take-block.ts'

interface Lease {
  left: number
  unleased: number
  endsAt: number
}

interface LeaseOptions {
  windowMs: number
  /** Blocks per quota. A process takes one at a time, so most requests need no query. */
  parts: number
}

const maxLeases = 20_000

export interface Leases {
  /** Null for a quota of 0, which is no limit. @throws when the database is unavailable */
  take(limit: LimitClass, subject: string, quota: number): Promise<Allowance | null>
  giveBack(limit: LimitClass, subject: string): void
}

export function createLeases(db: Database, { windowMs, parts }: LeaseOptions): Leases {
  const leases = new Map<string, Lease>()
  const pending = new Map<string, Promise<void>>()
  const blockOf = (quota: number): number => (quota < 2 * parts ? 1 : Math.ceil(quota / parts))

  async function lease(limit: LimitClass, subject: string, quota: number, name: string): Promise<void> {
    const before = performance.now()
    const block = blockOf(quota)
    const { taken, remaining } = await takeBlock(db, { subject, limit, block, windowMs: windowMs })
    const left = Math.min(block, Math.max(0, quota - (taken - block)))
    if (leases.size >= maxLeases) evictLeases(leases)
    leases.set(name, { left, unleased: Math.max(0, quota - taken), endsAt: before + remaining })
  }

  function leaseOnce(limit: LimitClass, subject: string, quota: number, name: string): Promise<void> {
    const request = pending.get(name) ?? lease(limit, subject, quota, name).finally(() => pending.delete(name))
    pending.set(name, request)
    return request
  }

  return {
    take: async (limit, subject, quota) => {
      if (quota === 0) return null
      const name = `${limit} ${subject}`
      for (;;) {
        const known = leases.get(name)
        const inTime = known && known.endsAt > performance.now()
        if (inTime && (known.left > 0 || known.unleased === 0)) {
          const granted = known.left > 0
          if (granted) known.left -= 1
          const resetsInSeconds = Math.max(1, Math.ceil((known.endsAt - performance.now()) / 1000))
          const remaining = known.left + known.unleased
          return { granted, class: limit, quota, remaining, resetsInSeconds, windowSeconds: windowMs / 1000 }
        }
        await leaseOnce(limit, subject, quota, name)
      }
    },
    giveBack: (limit, subject) => {
      const known = leases.get(`${limit} ${subject}`)
      if (known && known.endsAt > performance.now()) known.left += 1
    },
  }
}

function evictLeases(leases: Map<string, Lease>): void {
  const [oldest] = leases.keys()
  if (oldest !== undefined) leases.delete(oldest)
  for (const [name, { endsAt }] of leases) if (endsAt <= performance.now()) leases.delete(name)
}
