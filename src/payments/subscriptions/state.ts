import type { SubscriptionAccess } from '../contract/subscriptions.ts'
import type { SubscriptionRow } from './rows.ts'

const dayMs = 24 * 60 * 60_000

/** Days: after a failed payment, before the end of a trial, and after an end. */
const rules = { readOnly: 14, readOnlyNotice: 11, trialNotice: 3, kept: 90 }

const after = (time: Date, days: number): Date => new Date(time.getTime() + days * dayMs)

export const readOnlyAtOf = (pastDueSince: Date): Date => after(pastDueSince, rules.readOnly)

/** When the owner is told that access becomes read-only. */
export const readOnlyNoticeAtOf = (pastDueSince: Date): Date => after(pastDueSince, rules.readOnlyNotice)

export const trialNoticeAtOf = (trialEndsAt: Date): Date => after(trialEndsAt, -rules.trialNotice)

type Standing = Pick<SubscriptionRow, 'status' | 'startedAt' | 'endedAt' | 'pastDueSince' | 'trialEndsAt'>

export function accessOf({ status, startedAt, pastDueSince }: Standing, now: Date): SubscriptionAccess {
  if (startedAt === null || status === 'incomplete') return 'none'
  if (status === 'canceled') return 'ended'
  if (status === 'paused') return 'read_only'
  return pastDueSince !== null && now >= readOnlyAtOf(pastDueSince) ? 'read_only' : 'full'
}

/** Until when nothing is deleted; null while it has access. */
export function keptUntilOf({ startedAt, endedAt, pastDueSince }: Standing, access: SubscriptionAccess): Date | null {
  if (startedAt === null) return null
  const since = endedAt ?? (access === 'read_only' && pastDueSince ? readOnlyAtOf(pastDueSince) : null)
  return since && after(since, rules.kept)
}

/** Stripe’s portal sets only a date, the API the flag. */
export const isEnding = ({ cancelAtPeriodEnd, cancelAt }: Pick<SubscriptionRow, 'cancelAtPeriodEnd' | 'cancelAt'>) =>
  cancelAtPeriodEnd || cancelAt !== null

/** When something happens by itself next: a mail, or access that changes; at the latest in a day. */
export function nextStepOf({ status, trialEndsAt, pastDueSince }: Standing, now: Date): Date | null {
  if (status === 'canceled') return null
  const steps = [
    after(now, 1),
    ...(status === 'trialing' && trialEndsAt ? [trialNoticeAtOf(trialEndsAt), trialEndsAt] : []),
    ...(pastDueSince ? [readOnlyNoticeAtOf(pastDueSince), readOnlyAtOf(pastDueSince)] : []),
  ]
  return steps.filter((step) => step > now).toSorted((a, b) => a.getTime() - b.getTime())[0] ?? null
}
