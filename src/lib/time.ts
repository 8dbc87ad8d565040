import { z } from 'zod'

/** The clock that rules depend on; tests pass their own. */
export type Clock = () => Date

export const systemClock: Clock = () => new Date()

/** A time in responses: a `Date` becomes RFC 3339 in UTC. */
export const Timestamp = z.codec(z.date(), z.iso.datetime(), {
  decode: (date) => date.toISOString(),
  encode: (text) => new Date(text),
})

/** A time in requests: RFC 3339 with an offset becomes a `Date`. */
export const Instant = z.iso
  .datetime({ offset: true, error: 'Must be an RFC 3339 time with an offset, such as 2026-11-21T10:20:00Z.' })
  .transform((text) => new Date(text))
  .refine(
    (date) => date.getUTCFullYear() >= 1 && date.getUTCFullYear() <= 9999,
    'Must be between the years 1 and 9999.',
  )

/** A calendar day of the years 2 to 9998, so that the days before and after can be stored in any time zone. */
export const Day = z.iso
  .date({ abort: true })
  .refine((day) => day >= '0002' && day < '9999', 'Must be between the years 2 and 9998.')

/** An IANA time zone that this runtime knows, in any case and by any of its names; becomes its canonical name. */
export const TimeZone = z.string().transform((name, context) => {
  const canonical = canonicalTimeZone(name)
  if (canonical) return canonical
  context.addIssue('Must be an IANA time zone, such as Europe/Berlin.')
  return z.NEVER
})

/** Temporal also reads offsets, and zones out of whole times. */
const isName = /^[a-z][a-z0-9_+/-]*$/i

const canonicalNames = new Set(Intl.supportedValuesOf('timeZone'))

/** `Asia/Kolkata` for `asia/calcutta`; null for what is no name of a zone, such as the offset `+05:30`. */
function canonicalTimeZone(name: string): string | null {
  const zoned = isName.test(name) ? inZone(name) : null
  if (!zoned) return null
  if (canonicalNames.has(zoned.timeZoneId)) return zoned.timeZoneId
  // Two names of one zone are equal; a zone that only has the same offset is not.
  return [...canonicalNames].find((canonical) => inZone(canonical)?.equals(zoned)) ?? null
}

function inZone(name: string): Temporal.ZonedDateTime | null {
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name)
  } catch {
    return null
  }
}

/** Languages of dates and times, each with its usual clock. */
const usualClocks = { 'en-GB': 'h23', 'en-US': 'h12', 'de-DE': 'h23', 'es-ES': 'h23', 'fr-FR': 'h23' } as const

export type FormatLanguage = keyof typeof usualClocks
type HourCycle = 'h12' | 'h23'

/** How a person reads times. */
export interface TimeFormats {
  /** Canonical IANA name. */
  zone: string
  language: FormatLanguage
  hourCycle: HourCycle
}

export const FormatLanguage = z.enum(
  ['en-GB', 'en-US', 'de-DE', 'es-ES', 'fr-FR'],
  'Must be en-GB, en-US, de-DE, es-ES or fr-FR.',
)

const isLanguage = (text: string | undefined): text is FormatLanguage =>
  text !== undefined && Object.hasOwn(usualClocks, text)

/** The cookie of a person's preferences, which `timeFormatsFrom` reads; its script sets the other one, the browser's zone. */
export const formatsCookie = 'formats'
const zoneCookie = 'zone'

/** The value of the cookie. What isn't set follows the browser and the language. */
export const formatsCookieValue = ({ zone, language, hourCycle }: PreferredFormats): string =>
  [zone, language, hourCycle]
    .map((part) => part ?? '')
    .join(' ')
    .trimEnd()

/** The formats of a request: those that the person prefers, else the browser's time zone and English. */
export function timeFormatsFrom(cookies: ReadonlyMap<string, string>, preferred = preferredIn(cookies)): TimeFormats {
  const { language = 'en-GB', zone, hourCycle = usualClocks[language] } = preferred
  return { zone: zone ?? knownZone(read(cookies.get(zoneCookie))) ?? 'UTC', language, hourCycle }
}

type PreferredFormats = { [Name in keyof TimeFormats]?: TimeFormats[Name] | undefined }

function preferredIn(cookies: ReadonlyMap<string, string>): PreferredFormats {
  const cookie = cookies.get(`__Host-${formatsCookie}`) ?? cookies.get(formatsCookie)
  const [zone, language, hourCycle] = read(cookie).split(' ')
  return {
    zone: knownZone(zone) ?? undefined,
    language: isLanguage(language) ? language : undefined,
    hourCycle: hourCycle === 'h12' || hourCycle === 'h23' ? hourCycle : undefined,
  }
}

function read(cookie: string | undefined): string {
  try {
    return decodeURIComponent(cookie ?? '')
  } catch {
    return ''
  }
}

/** Finding a canonical name compares all zones. */
const aliases = new Map<string, string>()
const maxAliases = 1000

function knownZone(name: string | undefined): string | null {
  if (!name || name === 'UTC' || canonicalNames.has(name)) return name || null
  const canonical = aliases.get(name) ?? canonicalTimeZone(name)
  if (canonical && aliases.size < maxAliases) aliases.set(name, canonical)
  return canonical
}

const longDay = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

export const dayInWords = (at: Date): string => longDay.format(at)

/** A time that a daylight-saving change skips moves forward; one that occurs twice means the first. */
export const wallTime = (local: string, timeZone: string): Date =>
  new Date(Temporal.PlainDateTime.from(local).toZonedDateTime(timeZone).epochMilliseconds)

/** The date in a time zone. */
export const localDay = (at: Date, timeZone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone).toPlainDate().toString()

/** Of a date, such as `2026-10`. */
export const monthOf = (day: string): string => day.slice(0, 7)
