import type { BatchFailure, BatchStatus, ItemStatus, Settlement, SettlementCallback } from '#payments/types'
import type { StatusLook } from '#views/ui/marks.tsx'

export const batchStates: Record<BatchStatus, StatusLook> = {
  needs_approval: { state: 'waiting', icon: 'user-check', word: 'Needs approval' },
  accepted: { state: 'scheduled', icon: 'clock', word: 'Accepted' },
  processing: { state: 'sending', icon: 'rotate-cw', word: 'Processing' },
  completed: { state: 'published', icon: 'circle-check', word: 'Completed' },
  partially_failed: { state: 'waiting', icon: 'triangle-alert', word: 'Partially failed' },
  failed: { state: 'failed', icon: 'circle-alert', word: 'Failed' },
}

export const itemStates: Record<ItemStatus, StatusLook> = {
  pending: { state: 'draft', icon: 'clock', word: 'Pending' },
  sent: { state: 'sending', icon: 'send', word: 'Sent' },
  unknown: { state: 'waiting', icon: 'circle-help', word: 'Outcome unknown' },
  settled: { state: 'published', icon: 'circle-check', word: 'Settled' },
  failed: { state: 'failed', icon: 'circle-alert', word: 'Failed' },
  returned: { state: 'waiting', icon: 'undo-2', word: 'Returned' },
}

/** Those that people have to look at come first. */
export const itemOrder: readonly ItemStatus[] = ['unknown', 'failed', 'returned', 'pending', 'sent', 'settled']

export const callbackStates: Record<SettlementCallback['state'], StatusLook> = {
  waiting: { state: 'waiting', icon: 'hourglass', word: 'Waiting' },
  delivered: { state: 'published', icon: 'check', word: 'Delivered' },
  failed: { state: 'failed', icon: 'circle-alert', word: 'Failed' },
}

export const failureTexts: Record<BatchFailure, string> = {
  balance_short: 'The balance was too low. Nothing was paid.',
  declined: 'It was declined. Nothing was paid.',
  items_failed: 'No item was paid.',
}

/** `19 of 24 settled`. */
export const progressText = ({ totals, itemCount }: Pick<Settlement, 'totals' | 'itemCount'>): string =>
  `${totals.settled.items.toLocaleString('en')} of ${itemCount.toLocaleString('en')} settled`

/** `acct_1Qw…8Tz`. */
export const shortAccount = (account: string): string =>
  account.length > 16 ? `${account.slice(0, 8)}…${account.slice(-4)}` : account
