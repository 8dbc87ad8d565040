import { expect, test } from 'bun:test'
import { findAnomalies, forecast } from '../../src/gateway/usage/forecast.ts'

const dayMs = 24 * 60 * 60 * 1000
const dollar = 1_000_000_000n
/** Days before `end`, the last one first, with the cost of `costOf` in dollars. */
const daysBefore = (end: string, count: number, costOf: (weekday: number) => number) =>
  Array.from({ length: count }, (_, at) => {
    const day = new Date(Date.parse(end) - (at + 1) * dayMs)
    return { day: day.toISOString().slice(0, 10), costNanoUsd: BigInt(costOf(day.getUTCDay())) * dollar }
  })
const weekdaysOnly = (weekday: number) => (weekday === 0 || weekday === 6 ? 0 : 10)
const inDollars = (nanoUsd: bigint) => Number(nanoUsd / (dollar / 100n)) / 100

test('GTW-35 forecast without a history continues the present pace', () => {
  const period = { periodStart: new Date('2026-11-01'), periodEnd: new Date('2026-12-01'), history: [] }
  expect(forecast({ ...period, spentNanoUsd: 10n * dollar, now: new Date('2026-11-11') })).toBe(30n * dollar)
  expect(forecast({ ...period, spentNanoUsd: 0n, now: new Date('2026-11-01') })).toBe(0n)
  expect(forecast({ ...period, spentNanoUsd: 7n, now: new Date('2026-12-02') })).toBe(7n)
  expect(forecast({ ...period, periodEnd: null, spentNanoUsd: 7n, now: new Date('2026-12-02') })).toBe(7n)
})

test('GTW-35 forecast knows weekends, and that the first minutes of a month say little', () => {
  const period = { periodStart: new Date('2026-11-02'), periodEnd: new Date('2026-11-09') }
  const history = daysBefore('2026-11-02', 28, weekdaysOnly)
  const friday = forecast({ ...period, history, spentNanoUsd: 50n * dollar, now: new Date('2026-11-07') })
  expect(inDollars(friday)).toBe(50)
  const first = forecast({ ...period, history, spentNanoUsd: dollar, now: new Date('2026-11-02T00:01:00Z') })
  expect(inDollars(first)).toBeWithin(50, 60)
  const double = forecast({ ...period, history, spentNanoUsd: 60n * dollar, now: new Date('2026-11-05') })
  expect(inDollars(double)).toBeWithin(90, 100)
})

test('GTW-35 day far off the same weekday’s history is an anomaly, a usual weekend and an unfinished day are not', () => {
  const history = daysBefore('2026-11-23', 70, weekdaysOnly)
  const costs = new Map(history.map(({ day, costNanoUsd }) => [day, costNanoUsd]))
  const find = (day: string, dollars: number, today = '2026-11-22') =>
    findAnomalies([{ day, costNanoUsd: BigInt(dollars) * dollar }], costs, { weeks: 8, today })
  expect(find('2026-11-17', 40)).toMatchObject([
    { day: '2026-11-17', expectedNanoUsd: 10n * dollar, direction: 'above' },
  ])
  expect(find('2026-11-17', 0)).toMatchObject([{ direction: 'below' }])
  expect(find('2026-11-17', 0, '2026-11-17')).toEqual([])
  expect(find('2026-11-17', 12)).toEqual([])
  expect(find('2026-11-21', 0)).toEqual([])
  expect(find('2026-11-21', 10)).toMatchObject([{ expectedNanoUsd: 0n, direction: 'above' }])
  expect(find('2026-09-21', 99)).toEqual([])
})
