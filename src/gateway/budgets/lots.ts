import { countsPlatformOnly, type Limit } from './limit.ts'
import type { OpenPart } from './journal.ts'
import type { Window } from './period.ts'

/** What this server has of one period of a hard limit. */
export interface Lot {
  readonly key: string
  readonly limitId: string
  readonly window: Window
  readonly platformOnly: boolean
  /** The same object for each of its holds. */
  readonly part: OpenPart
  /** Under which it was leased. */
  limitNanoUsd: bigint
  /** Leased, and held by no request. */
  free: bigint
  /** Leased, and held by running requests. */
  held: bigint
  /** `performance.now()` of the last hold or release. */
  usedAt: number
  /** Another server asked for it then (`performance.now()`): what becomes free goes back at once. */
  recalledAt: number
  /** `performance.now()` at which this server asked others for it. */
  recallSentAt: number
  /** `performance.now()` of the last refusal. */
  refusedAt: number
  /** Whether it was reported as used up. */
  hasEnded: boolean
  /** At the last grant: what the limit couldn't give, with what had been spent and leased. Null when it gave enough. */
  shortage: Shortage | null
  /** While unused budget goes back: a grant before that would find too little. */
  returning: Promise<void> | null
  /** A grant or return has failed without saying whether it was committed. */
  uncertain: boolean
  /** Number of grants, returns and settlements that are being committed. */
  pending: number
}

interface Shortage {
  spentNanoUsd: bigint
  /** Of all servers. */
  leasedNanoUsd: bigint
  limitNanoUsd: bigint
  othersLeased: boolean
  /** `performance.now()`. */
  at: number
}

export const lotKey = (limitId: string, start: Date): string => `${limitId} ${start.getTime()}`

type LotLimit = Pick<Limit, 'id' | 'limitNanoUsd' | 'scopeType'>

export function createLot({ id, limitNanoUsd, scopeType }: LotLimit, window: Window): Lot {
  const key = lotKey(id, window.start)
  const platformOnly = countsPlatformOnly({ scopeType })
  const times = { usedAt: performance.now(), recalledAt: -Infinity, recallSentAt: -Infinity, refusedAt: -Infinity }
  return {
    key,
    limitId: id,
    window,
    platformOnly,
    part: { limitId: id, periodStart: window.start, platformOnly },
    limitNanoUsd,
    free: 0n,
    held: 0n,
    ...times,
    hasEnded: false,
    shortage: null,
    returning: null,
    uncertain: false,
    pending: 0,
  }
}

/** The most that all lots can give; null without lots. */
export const freeOf = (lots: readonly Lot[]): bigint | null =>
  lots.reduce<bigint | null>((least, { free }) => (least === null || free < least ? free : least), null)

/** From every lot. The caller has checked that each has it free, in the same synchronous turn. */
export function take(lots: readonly Lot[], amount: bigint): void {
  const now = performance.now()
  for (const lot of lots) {
    lot.free -= amount
    lot.held += amount
    lot.usedAt = now
  }
}

/** Ends a hold of `amount`, of which `spent` leaves the lease. */
export function release(lots: readonly Lot[], amount: bigint, spent: bigint): void {
  const now = performance.now()
  for (const lot of lots) {
    lot.held -= amount
    lot.free += amount - spent
    lot.usedAt = now
    if (lot.shortage) {
      lot.shortage.spentNanoUsd += spent
      lot.shortage.leasedNanoUsd -= spent
    }
  }
}
