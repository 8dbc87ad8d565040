import { expect, test } from 'bun:test'
import { TimeZone } from '#lib/time.ts'

const names = [
  ['Europe/Berlin', 'Europe/Berlin'],
  ['europe/berlin', 'Europe/Berlin'],
  ['EUROPE/BERLIN', 'Europe/Berlin'],
  ['Asia/Calcutta', 'Asia/Kolkata'],
  ['US/Eastern', 'America/New_York'],
  ['utc', 'UTC'],
  ['Etc/UTC', 'UTC'],
  ['Etc/GMT+5', 'Etc/GMT+5'],
  ['Europe/Amsterdam', 'Europe/Amsterdam'],
] as const
test.each(names)('SOC-01 the time zone %s becomes %s', (name, canonical) => {
  expect(TimeZone.parse(name)).toBe(canonical)
})

const refused = [
  '+05:30',
  '+0530',
  '-08',
  '+05:30[Asia/Kolkata]',
  '2026-01-01T00:00Z[UTC]',
  'Mars/Base',
  '',
  ' UTC',
  'Z',
]
test.each(refused)('SOC-01 %p is rejected as a time zone', (name) => {
  expect(TimeZone.safeParse(name).error?.issues[0]?.message).toContain('IANA time zone')
})
