import { expect, test } from 'bun:test'
import { periodAt } from '../../src/gateway/budgets/period.ts'
import type { Period } from '../../src/gateway/contract.ts'

const windowAt = (period: Period, zone: string, at: string) => {
  const { start, end } = periodAt(period, zone, new Date(at))
  return [start.toISOString(), end?.toISOString() ?? null]
}

const cases: [Period, string, string, string, string | null][] = [
  ['hour', 'UTC', '2026-11-22T10:59:59.999Z', '2026-11-22T10:00:00.000Z', '2026-11-22T11:00:00.000Z'],
  ['hour', 'Asia/Kolkata', '2026-11-22T10:10:00Z', '2026-11-22T09:30:00.000Z', '2026-11-22T10:30:00.000Z'],
  ['day', 'Europe/Berlin', '2026-11-22T22:59:59Z', '2026-11-21T23:00:00.000Z', '2026-11-22T23:00:00.000Z'],
  ['day', 'Europe/Berlin', '2026-11-22T23:00:00Z', '2026-11-22T23:00:00.000Z', '2026-11-23T23:00:00.000Z'],
  // 23 and 25 hours.
  ['day', 'Europe/Berlin', '2026-03-29T12:00:00Z', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
  ['day', 'Europe/Berlin', '2026-10-25T12:00:00Z', '2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z'],
  // The hour that occurs twice is two hours.
  ['hour', 'Europe/Berlin', '2026-10-25T00:30:00Z', '2026-10-25T00:00:00.000Z', '2026-10-25T01:00:00.000Z'],
  ['hour', 'Europe/Berlin', '2026-10-25T01:30:00Z', '2026-10-25T01:00:00.000Z', '2026-10-25T02:00:00.000Z'],
  // Clocks go back by half an hour.
  ['hour', 'Australia/Lord_Howe', '2026-04-04T14:45:00Z', '2026-04-04T14:00:00.000Z', '2026-04-04T15:30:00.000Z'],
  // No midnight: the day begins at one o’clock.
  ['day', 'America/Santiago', '2026-09-06T12:00:00Z', '2026-09-06T04:00:00.000Z', '2026-09-07T03:00:00.000Z'],
  ['week', 'America/New_York', '2026-11-23T04:59:59Z', '2026-11-16T05:00:00.000Z', '2026-11-23T05:00:00.000Z'],
  ['week', 'America/New_York', '2026-11-23T05:00:00Z', '2026-11-23T05:00:00.000Z', '2026-11-30T05:00:00.000Z'],
  ['month', 'Pacific/Auckland', '2026-02-28T11:00:00Z', '2026-02-28T11:00:00.000Z', '2026-03-31T11:00:00.000Z'],
  ['month', 'UTC', '2028-02-29T23:59:59Z', '2028-02-01T00:00:00.000Z', '2028-03-01T00:00:00.000Z'],
  ['total', 'Asia/Tokyo', '2026-11-22T10:00:00Z', '1970-01-01T00:00:00.000Z', null],
]
test.each(cases)(
  'GTW-33 a budget per %s in %s does not reset late or early (LiteLLM 34896, 40978): %s',
  (period, zone, at, start, end) => {
    expect(windowAt(period, zone, at)).toEqual([start, end])
  },
)

test('GTW-33 windows of a zone follow each other without gaps for two years', () => {
  for (const zone of ['Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', 'Africa/Casablanca'])
    for (const period of ['hour', 'day', 'week', 'month'] as const) {
      let at = new Date('2026-01-01T00:00:00Z')
      const limit = period === 'hour' ? 24 * 400 : 800
      for (let count = 0; count < limit && at < new Date('2028-01-01'); count++) {
        const { start, end } = periodAt(period, zone, at)
        expect(+start).toBe(count === 0 ? +start : +at)
        expect(+(end ?? 0)).toBeGreaterThan(+at)
        expect(+periodAt(period, zone, new Date(+(end ?? 0) - 1)).start).toBe(+start)
        at = end ?? at
      }
    }
})
