import type { ProviderEndpoint, ProviderEventState, ReceivedProviderEvent } from '#payments/types'
import type { StatusLook } from '#views/ui/marks.tsx'

export const eventStates: Record<ProviderEventState, StatusLook> = {
  waiting: { state: 'waiting', icon: 'hourglass', word: 'Waiting' },
  processed: { state: 'published', icon: 'circle-check', word: 'Processed' },
  failed: { state: 'failed', icon: 'circle-alert', word: 'Failed' },
  ignored: { state: 'draft', icon: 'package', word: 'Stored' },
}

export const providerNames: Record<ProviderEndpoint['provider'], string> = {
  stripe: 'Stripe',
  practice: 'Practice provider',
}

export const scopeNames: Record<ProviderEndpoint['scope'], string> = {
  account: 'events of the account',
  connect: 'events of connected accounts',
}

export const eventName = ({ type, eventId }: Pick<ReceivedProviderEvent, 'type' | 'eventId'>): string => type ?? eventId

/** `Delivered 3 times, processed once`. */
export function deliveriesText({ duplicates, state }: Pick<ReceivedProviderEvent, 'duplicates' | 'state'>): string {
  if (duplicates === 0) return 'Delivered once'
  const count = `Delivered ${duplicates + 1} times`
  return state === 'processed' ? `${count}, processed once` : count
}
