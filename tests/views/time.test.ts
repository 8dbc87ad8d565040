import { expect, test } from 'bun:test'
import { Time, timeText, zoneName } from '#views/ui/time.tsx'

const winter = '2026-11-21T08:00:00Z'
const summer = new Date('2026-07-21T08:00:00Z')

test('instant is formatted in the brand’s time zone', () => {
  expect(timeText(winter, 'Europe/Berlin', 'time')).toBe('09:00')
  expect(timeText(summer, 'Europe/Berlin', 'time')).toBe('10:00')
  expect(timeText(winter, 'Asia/Tokyo', 'day')).toBe('Sat 21 Nov')
  expect(timeText('2026-11-21T20:00:00Z', 'Asia/Tokyo', 'date')).toBe('Sunday 22 November')
  expect(timeText(winter, 'Europe/Berlin', 'full')).toBe('Sat 21 Nov 09:00 CET')
  expect(timeText('2026-11-21T08:00:07Z', 'Europe/Berlin', 'exact')).toBe('Sat 21 Nov 09:00:07 CET')
})

test('time zone is shown by its local name, else by its offset', () => {
  expect(zoneName(winter, 'Europe/Berlin')).toBe('CET')
  expect(zoneName(summer, 'Europe/Berlin')).toBe('CEST')
  expect(zoneName(winter, 'America/New_York')).toBe('EST')
  expect(zoneName(winter, 'Asia/Tokyo')).toBe('GMT+9')
})

test('time element has a machine-readable instant and the full date as its title', () => {
  expect(String(Time({ at: winter, zone: 'Europe/Berlin', form: 'time' }))).toBe(
    '<time datetime="2026-11-21T08:00:00.000Z" title="Saturday 21 November 2026, 09:00 CET">09:00</time>',
  )
})
