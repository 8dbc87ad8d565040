import type { Provider } from '../contract.ts'
import type { Metadata } from './network.ts'

/** Posts that a network takes in a time. */
export interface Quota {
  /** `posts` includes replies where they aren’t counted apart. */
  counts: 'posts' | 'replies'
  /** Whose posts are counted: those of the account, or of all accounts of its app. */
  per: 'account' | 'app'
  /** Null where the network doesn’t publish it. */
  total: number | null
  /** Of the last so many hours, or since midnight in a time zone. */
  window: { hours: number } | { since: 'midnight'; timeZone: string }
}

const day = { hours: 24 } as const

interface Placed {
  provider: Provider
  host: string
  metadata: Metadata
}

const perDay = (total: number, quota: Partial<Quota> = {}): Quota => ({
  counts: 'posts',
  per: 'account',
  total,
  window: day,
  ...quota,
})

const unpublished: Quota = { counts: 'posts', per: 'account', total: null, window: day }
const untilMidnightUtc: Quota = { ...unpublished, window: { since: 'midnight', timeZone: 'UTC' } }

const published: Partial<Record<Provider, readonly Quota[]>> = {
  x: [perDay(100, { window: { hours: 0.25 } }), perDay(10_000, { per: 'app' })],
  linkedin: [untilMidnightUtc],
  'linkedin-page': [untilMidnightUtc],
  instagram: [perDay(100)],
  threads: [perDay(250), perDay(1_000, { counts: 'replies' })],
  youtube: [perDay(100, { per: 'app', window: { since: 'midnight', timeZone: 'America/Los_Angeles' } })],
}

/** 35,000 points a day, of which a new record costs 3; other servers set limits of their own. */
const ofBluesky = perDay(11_666)
const serversOfBluesky = /(?:^|\.)(?:bsky\.social|bsky\.network)$/

/** The limits of an account as its network counts them; with no total where it doesn’t say. */
export function quotasOf({ provider, host }: Placed): readonly Quota[] {
  if (provider === 'bluesky' && URL.canParse(host) && serversOfBluesky.test(new URL(host).hostname)) return [ofBluesky]
  return published[provider] ?? [unpublished]
}

/** When its window began, and when it ends: of a moving window, once the oldest post in it is known. */
export function windowOf({ window }: Quota, now: Date): { from: Date; resetsAt: (oldest: Date | null) => Date | null } {
  if ('hours' in window) {
    const ms = window.hours * 3_600_000
    return {
      from: new Date(now.getTime() - ms),
      resetsAt: (oldest) => oldest && new Date(oldest.getTime() + ms),
    }
  }
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(window.timeZone).startOfDay()
  const tomorrow = new Date(today.add({ days: 1 }).startOfDay().epochMilliseconds)
  return { from: new Date(today.epochMilliseconds), resetsAt: () => tomorrow }
}
