import type { Chance } from './random.ts'

/** Prices are multiples of `step`, since cards aren’t charged the third decimal of some currencies. */
const currencies = [
  { currency: 'EUR', step: 1, base: 300 },
  { currency: 'USD', step: 1, base: 250 },
  { currency: 'JPY', step: 1, base: 900 },
  { currency: 'KWD', step: 10, base: 2_000 },
] as const

export function draftOrder(chance: Chance, name: string): object {
  const { currency, step, base } = chance.pick(currencies)
  const isStepped = step > 1
  const lines = Array.from({ length: 1 + chance.upTo(3) }, (_, at) => ({
    name: `Item ${at + 1}`,
    quantity: 1 + chance.upTo(3),
    unitAmount: base + step * chance.upTo(400),
    ...(!isStepped && chance.happens(0.5) && { taxRate: chance.pick(['7', '19', '8.875', '20']) }),
    ...(chance.happens(0.3) && { discount: step * chance.upTo(20) }),
  }))
  return {
    currency,
    lines,
    taxMode: chance.pick(['inclusive', 'exclusive']),
    taxRounding: chance.pick(['line', 'order']),
    ...(!isStepped && chance.happens(0.3) && { discount: chance.upTo(100) }),
    customer: { email: `${name}@example.com` },
    metadata: { history: name },
  }
}

export const cards = {
  good: '4242424242424242',
  declined: '4000000000000002',
  disputed: '4000000000000259',
  pendingRefund: '4000000000007726',
  failedRefund: '4000000000005126',
  authenticated: '4000002760003184',
} as const
