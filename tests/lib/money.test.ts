import { expect, test } from 'bun:test'
import { z } from 'zod'
import {
  addMoney,
  allocate,
  Currency,
  displayMoney,
  exponentOf,
  formatMoney,
  formatNanoUsd,
  MoneyError,
  MoneyInput,
  parseMoney,
  parseNanoUsd,
  scaleUnits,
  Units,
  UnitsInput,
} from '#lib/money.ts'
import { operation } from '#lib/operation.ts'
import { contextOf, kernelOf } from './kernel.tsx'

const money = (minor: bigint, code: string) => ({ minor, currency: Currency.parse(code) })
const parsed = (text: string, code: string) => parseMoney(text, Currency.parse(code)).minor

/** The same random numbers in every run (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const random = randomNumbers(20_261_122)
const below = (limit: number): number => Math.floor(random() * limit)
const digits = (count: number): string => Array.from({ length: count }, () => below(10)).join('')
/** Up to 18 digits, with either sign. */
const anyAmount = (): bigint => BigInt(digits(1 + below(18))) * (below(2) === 0 ? 1n : -1n)
const cases = Array.from({ length: 2000 })
const currencies = ['JPY', 'KRW', 'EUR', 'USD', 'KWD', 'TND', 'CLF']

const faultOf = (work: () => unknown): [string, string] => {
  try {
    work()
  } catch (error) {
    if (error instanceof MoneyError) return [error.code, error.message]
    throw error
  }
  return ['none', '']
}

test.each([
  ['JPY', 0, 1234n, '1234'],
  ['EUR', 2, 1234n, '12.34'],
  ['KWD', 3, 1234n, '1.234'],
  ['CLF', 4, 1234n, '0.1234'],
] as const)('PAY-10 %s has %p decimal places: %p of its minor units are %s', (code, exponent, minor, text) => {
  expect(exponentOf(code)).toBe(exponent)
  expect(formatMoney(money(minor, code))).toBe(text)
  expect(parsed(text, code)).toBe(minor)
})

test('PAY-10 decimal places follow ISO 4217 where common locale data differs', () => {
  expect(['IQD', 'LBP', 'AFN', 'ISK', 'UGX', 'MGA', 'MRU'].map(exponentOf)).toEqual([3, 2, 2, 0, 0, 2, 2])
})

test('PAY-10 every amount is unchanged after formatting and parsing, in every kind of currency', () => {
  for (const _ of cases)
    for (const code of currencies) {
      const minor = anyAmount()
      expect(parsed(formatMoney(money(minor, code)), code)).toBe(minor)
    }
})

test('PLT-11 every metered cost is unchanged after formatting and parsing as dollars', () => {
  expect([parseNanoUsd('0.0000025'), parseNanoUsd('15'), formatNanoUsd(2_500n)]).toEqual([
    2_500n,
    15_000_000_000n,
    '0.000002500',
  ])
  for (const _ of cases) {
    const nanoUsd = anyAmount()
    expect(parseNanoUsd(formatNanoUsd(nanoUsd))).toBe(nanoUsd)
  }
})

test('PAY-10 amounts that a float can’t represent are parsed and formatted exactly', () => {
  expect(parsed('90071992547409.93', 'EUR')).toBe(9_007_199_254_740_993n)
  expect(parsed('1.10', 'EUR') + parsed('2.20', 'EUR')).toBe(parsed('3.30', 'EUR'))
  expect(displayMoney(money(9_007_199_254_740_993n, 'EUR'))).toBe('€90,071,992,547,409.93')
})

test('PAY-10 amount is shown in the format of the locale, with every decimal place of its currency', () => {
  const shown = [displayMoney(money(-5n, 'USD')), displayMoney(money(1234n, 'JPY')), displayMoney(money(1500n, 'KWD'))]
  expect(shown.map((text) => text.replaceAll(/\s/g, ' '))).toEqual(['-$0.05', '¥1,234', 'KWD 1.500'])
  expect(displayMoney(money(123_450n, 'EUR'), 'de').replaceAll(/\s/g, ' ')).toBe('1.234,50 €')
})

test('PAY-10 trailing zeros are accepted; amounts that would have to be rounded are rejected', () => {
  expect([parsed('5', 'EUR'), parsed('5.5000', 'EUR'), parsed('7.000', 'JPY'), parsed('-0.01', 'EUR')]).toEqual([
    500n,
    550n,
    7n,
    -1n,
  ])
  expect(faultOf(() => parsed('0.125', 'EUR'))).toEqual(['too_precise', 'EUR allows 2 decimal places, not 3.'])
  expect(faultOf(() => parsed('1.5', 'JPY'))).toEqual(['too_precise', 'JPY allows 0 decimal places, not 1.'])
})

test.each(['', ' 1', '1,50', '1.', '.5', '+1', '1e3', '0x10', '--1', 'NaN', 'Infinity', '١', '1'.repeat(65)])(
  'PAY-10 %p is rejected as an amount',
  (text) => {
    expect(faultOf(() => parsed(text, 'EUR'))[0]).toBe('not_decimal')
  },
)

test('PAY-10 amounts outside the database’s range are rejected wherever they occur', () => {
  const most = 2n ** 63n - 1n
  expect(parsed('92233720368547758.07', 'EUR')).toBe(most)
  expect(faultOf(() => parsed('92233720368547758.08', 'EUR'))[0]).toBe('out_of_range')
  expect(faultOf(() => addMoney(money(most, 'EUR'), money(1n, 'EUR')))[0]).toBe('out_of_range')
  expect(faultOf(() => scaleUnits(most, 2n, 1n))[0]).toBe('out_of_range')
})

test.each(['eur', 'EURO', 'XXX', 'XAU', 'XTS', 'BGN', 'HRK', '', '__proto__'])(
  'PAY-10 %p is rejected as a currency',
  (code) => {
    expect(Currency.safeParse(code).success).toBe(false)
    expect(faultOf(() => exponentOf(code))[0]).toBe('unknown_currency')
  },
)

test('PAY-10 amounts in two currencies can’t be added', () => {
  expect(addMoney(money(1n, 'EUR'), money(2n, 'EUR'))).toEqual(money(3n, 'EUR'))
  expect(faultOf(() => addMoney(money(1n, 'EUR'), money(2n, 'USD')))).toEqual([
    'currencies_differ',
    'EUR and USD can’t be added.',
  ])
})

test('PAY-10 allocation loses nothing: shares add up, and each is within one unit of its exact value', () => {
  for (const _ of cases) {
    const units = anyAmount()
    const weights = Array.from({ length: 1 + below(9) }, () => BigInt(below(5) === 0 ? 0 : 1 + below(1_000_000)))
    const total = weights.reduce((sum, weight) => sum + weight, 0n)
    if (total === 0n) continue
    const shares = allocate(units, weights)
    expect(shares.reduce((sum, share) => sum + share, 0n)).toBe(units)
    for (const [at, weight] of weights.entries()) {
      const distance = (shares[at] ?? 0n) * total - units * weight
      expect(distance < total && distance > -total).toBe(true)
      if (weight === 0n) expect(shares[at]).toBe(0n)
    }
  }
})

test('PAY-10 remaining units go to the largest remainders, then to the first of equal ones, including for refunds', () => {
  expect(allocate(100n, [1n, 1n, 1n])).toEqual([34n, 33n, 33n])
  expect(allocate(-100n, [1n, 1n, 1n])).toEqual([-34n, -33n, -33n])
  expect(allocate(5n, [3n, 7n])).toEqual([2n, 3n])
  expect(allocate(0n, [2n, 0n])).toEqual([0n, 0n])
  for (const weights of [[], [0n, 0n], [2n, -1n], [1n, -1n]])
    expect(faultOf(() => allocate(1n, weights))[0]).toBe('no_shares')
})

test('PAY-10 scaling rounds once to the nearest unit, halves away from zero', () => {
  const cents = (nanoUsd: bigint) => scaleUnits(nanoUsd, 1n, 10_000_000n)
  expect([4_999_999n, 5_000_000n, -5_000_000n, -4_999_999n].map(cents)).toEqual([0n, 1n, -1n, 0n])
  for (const _ of cases) {
    const [units, numerator, denominator] = [anyAmount() / 1000n, BigInt(below(1000)), BigInt(1 + below(1_000_000))]
    const off = 2n * (scaleUnits(units, numerator, denominator) * denominator - units * numerator)
    expect(off <= denominator && off >= -denominator).toBe(true)
  }
  expect(() => scaleUnits(1n, 1n, 0n)).toThrow(RangeError)
})

test('PLT-11 amounts are integers in JSON, and one that JSON would round is rejected', () => {
  expect([Units.decode(1234n), UnitsInput.parse(1234)]).toEqual([1234, 1234n])
  expect(z.safeDecode(Units, 2n ** 53n).error?.issues[0]?.message).toContain('Too large')
  for (const refused of [12.5, '12', 2 ** 53, null]) expect(UnitsInput.safeParse(refused).success).toBe(false)
})

const setPrice = operation({
  route: 'POST /api/price',
  summary: 'Set a price',
  permission: 'public',
  transaction: false,
  input: z.object({ price: MoneyInput }),
  output: z.object({ price: Units, currency: Currency }),
  run: async ({ input: { price } }) => ({ price: price.minor, currency: price.currency }),
})

test('PAY-10 typed amount becomes minor units; an invalid one returns 422 and names the field', async () => {
  const handle = kernelOf([contextOf({ operations: { setPrice } })], { database: {} as never })
  const sent = async (amount: string, currency: string) => {
    const body = new URLSearchParams({ 'price.amount': amount, 'price.currency': currency })
    const headers = { accept: 'application/json' }
    const response = await handle(new Request('http://localhost/api/price', { method: 'POST', headers, body }))
    const { errors = [], ...price } = await response.json()
    return [response.status, ...(response.ok ? [price] : errors)]
  }
  expect(await sent('12.34', 'EUR')).toEqual([200, { price: 1234, currency: 'EUR' }])
  expect(await sent('12.345', 'EUR')).toEqual([
    422,
    { path: 'price.amount', message: 'EUR allows 2 decimal places, not 3.' },
  ])
  expect(await sent('12,34', 'XXX')).toEqual([
    422,
    { path: 'price.currency', message: 'Must be an ISO 4217 currency code in uppercase, such as EUR.' },
  ])
})
