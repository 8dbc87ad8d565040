import { expect, test } from 'bun:test'
import { withNonce } from '#lib/jsx/jsx-runtime.ts'
import { formatsCookieValue, timeFormatsFrom } from '#lib/time.ts'
import { Time, TimesIn, timeText, zoneName } from '#views/ui/time.tsx'

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

test('time zone is shown by its local name, or else by its offset', () => {
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

/** What a browser with these cookies reads. */
const readWith = (cookies: Record<string, string>) =>
  withNonce('n', () => String(Time({ at: winter, form: 'moment' })), timeFormatsFrom(new Map(Object.entries(cookies))))
const preferring = (formats: Parameters<typeof formatsCookieValue>[0]) => ({
  zone: 'America%2FNew_York',
  formats: encodeURIComponent(formatsCookieValue(formats)),
})

test('IDN-21 time without a zone is shown in the reader’s zone and format, or else in the browser’s zone', () => {
  expect(readWith({})).toContain('>Sat 21 Nov 08:00<')
  expect(readWith({ zone: 'America%2FNew_York' })).toContain('>Sat 21 Nov 03:00<')
  expect(readWith(preferring({ zone: 'Europe/Berlin', language: 'en-US' }))).toMatch(/>Sat, Nov 21 9:00\sAM</)
  expect(readWith(preferring({ hourCycle: 'h12' }))).toMatch(/>Sat 21 Nov 3:00\sam</)
  expect(readWith(preferring({ language: 'de-DE' }))).toContain('>Sa., 21. Nov. 03:00<')
  // Browsers name zones by older names.
  expect(readWith({ zone: 'Asia%2FCalcutta' })).toContain('>Sat 21 Nov 13:30<')
  for (const junk of ['%', 'Mars%2FOlympus', '%2B05%3A30', '"><script>', 'UTC%20constructor%20toString'])
    expect(readWith({ zone: junk, formats: junk })).toContain('>Sat 21 Nov 08:00<')
})

test('IDN-21 number of formatters in memory is bounded for readers in all time zones', async () => {
  const { DateTimeFormat } = Intl
  const made: WeakRef<Intl.DateTimeFormat>[] = []
  class Counted extends DateTimeFormat {
    constructor(...given: ConstructorParameters<typeof DateTimeFormat>) {
      super(...given)
      made.push(new WeakRef(this))
    }
  }
  Reflect.set(Intl, 'DateTimeFormat', Counted)
  for (const zone of Intl.supportedValuesOf('timeZone')) readWith(preferring({ zone, language: 'fr-FR' }))
  Reflect.set(Intl, 'DateTimeFormat', DateTimeFormat)
  // References are strong until the end of the task.
  await Bun.sleep(0)
  Bun.gc(true)
  expect(made.length).toBeGreaterThan(2_000)
  expect(made.filter((reference) => reference.deref()).length).toBeLessThan(1_100)
})

test('view names the time zone of its times once', () => {
  expect(String(TimesIn({ at: new Date(winter), zone: 'Europe/Berlin' }))).toContain('Times in Europe/Berlin (CET)')
  expect(String(TimesIn({}))).toContain('Times in UTC')
})
