import { expect, test } from 'bun:test'
import { fromProviderUnits, toProviderUnits } from '../../src/payments/provider-units.ts'

test.each([
  ['EUR', 1234n, 1234],
  ['JPY', 1234n, 1234],
  ['KWD', 4250n, 4250],
  ['ISK', 1234n, 123_400],
  ['UGX', 5n, 500],
  ['MGA', 1200n, 12],
])('PAY-10 amount in %s is sent in the provider’s unit and read back', (currency, amount, units) => {
  expect(toProviderUnits(amount, currency)).toBe(units)
  expect(fromProviderUnits(units, currency)).toBe(amount)
})

test('PAY-10 amount that the provider would round is refused', () => {
  expect(() => toProviderUnits(1250n, 'MGA')).toThrow('no smaller amounts of MGA')
})
