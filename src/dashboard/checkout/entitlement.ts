import type { Entitlement } from '#identity'
import type { CheckoutPackage } from './contract.ts'

const counts: Partial<Record<CheckoutPackage, number>> = { three: 3, five: 5, ten: 10 }

/** What a package gives. */
export function termsOf(name: CheckoutPackage, seats: number): Entitlement {
  if (name === 'free') return { mode: 'free', seats: 1 }
  const paidAppCount = counts[name]
  return paidAppCount === undefined ? { mode: 'all', seats } : { mode: 'count', paidAppCount, seats }
}
