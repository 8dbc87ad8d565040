import { expect, test } from 'bun:test'
import { OrderDraft } from '../../src/payments/contract/orders.ts'
import { priceOrder } from '../../src/payments/orders/totals.ts'

const price = (draft: object) => priceOrder(OrderDraft.parse({ currency: 'EUR', ...draft }))

const line = (unitAmount: number, rest: object = {}) => ({ name: 'Item', unitAmount, ...rest })

test('PAY-10 inclusive tax is part of the total', () => {
  const priced = price({ lines: [line(1240, { quantity: 2, taxRate: 7 }), line(980, { taxRate: 19 })] })
  expect([priced.subtotal, priced.tax, priced.total]).toEqual([3460n, 162n + 156n, 3460n])
})

test('PAY-10 exclusive tax is added, rounded per line or once per rate', () => {
  const lines = [line(333, { taxRate: '8.875' }), line(333, { taxRate: '8.875' }), line(333, { taxRate: '8.875' })]
  // 29.55375 each, 88.66125 together.
  expect(price({ lines, taxMode: 'exclusive' }).tax).toBe(90n)
  const once = price({ lines, taxMode: 'exclusive', taxRounding: 'order' })
  expect([once.tax, once.total]).toEqual([89n, 1088n])
  expect(once.lines.map(({ tax }) => tax)).toEqual([30n, 30n, 29n])
})

test('PAY-10 discounts lower lines before tax, and the order’s is spread without losing a cent', () => {
  const priced = price({
    lines: [line(1000, { discount: 100 }), line(1000, { quantity: 2 }), line(1, {})],
    discount: 1000,
    taxMode: 'exclusive',
  })
  expect(priced.discount).toBe(1100n)
  expect(priced.total).toBe(3001n - 1100n)
  expect(priced.lines.reduce((sum, { discount }) => sum + discount, 0n)).toBe(1100n)
})

test.each([
  [{ lines: [line(100, { discount: 101 })] }, 'lines.0.discount'],
  [{ lines: [line(100)], discount: 101 }, 'discount'],
  [{ lines: [line(0)] }, 'lines'],
  [{ lines: [line(99_999_999, { quantity: 2 })] }, 'lines'],
])('PAY-10 order with impossible amounts is refused: %#', (draft, path) => {
  const refusal = () => price(draft)
  expect(refusal).toThrow()
  try {
    refusal()
  } catch (error) {
    expect(error).toMatchObject({ options: { errors: [{ path }] } })
  }
})

test.each([1, 2, 3, 4, 5])('PAY-10 sums of random orders fit their lines (seed %i)', (seed) => {
  let state = seed * 7919
  const random = (below: number) => (state = (state * 48_271) % 2_147_483_647) % below
  for (let round = 0; round < 200; round += 1) {
    const lines = Array.from({ length: 1 + random(6) }, () =>
      line(1 + random(50_000), { quantity: 1 + random(5), taxRate: ['0', '7', '19', '8.875'][random(4)] }),
    )
    const taxMode = random(2) ? 'inclusive' : 'exclusive'
    const taxRounding = random(2) ? 'line' : 'order'
    const priced = price({ lines, taxMode, taxRounding, discount: random(lines.length) })
    const sum = (field: 'tax' | 'total' | 'discount') => priced.lines.reduce((total, each) => total + each[field], 0n)
    expect([sum('tax'), sum('total'), sum('discount')]).toEqual([priced.tax, priced.total, priced.discount])
    const expected = priced.subtotal - priced.discount + (taxMode === 'exclusive' ? priced.tax : 0n)
    expect(priced.total).toBe(expected)
    expect(priced.lines.every(({ tax, total }) => tax >= 0n && total >= 0n)).toBe(true)
  }
})
