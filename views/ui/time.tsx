import { currentFormats } from '#lib/jsx/jsx-runtime.ts'

const forms = {
  /** 08:30 */
  time: { hour: '2-digit', minute: '2-digit' },
  /** 08:30:05 */
  second: { hour: '2-digit', minute: '2-digit', second: '2-digit' },
  /** Sat 21 Nov */
  day: { weekday: 'short', day: 'numeric', month: 'short' },
  /** Saturday 21 November */
  date: { weekday: 'long', day: 'numeric', month: 'long' },
  /** Saturday 21 November 2026 */
  longDate: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
  /** 21 Nov 2026 */
  shortDay: { day: 'numeric', month: 'short', year: 'numeric' },
  /** 21 November 2026 */
  longDay: { day: 'numeric', month: 'long', year: 'numeric' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

/** Those of a day with a time: `moment` is `Sat 21 Nov 08:30`, `full` adds the zone, and `exact` also the second. */
export type TimeForm = keyof typeof forms | 'moment' | 'full' | 'exact'

interface TimeProps {
  /** The instant, as a date or in RFC 3339. */
  at: Date | string
  /** The IANA time zone, such as a brand's; by default the reader's. */
  zone?: string
  /** `full` and `exact` name the zone; for the others the view names it once, such as by `TimesIn`. */
  form?: TimeForm
}

/** An instant in the formats of the reader; its title says it whole. */
export const Time = ({ at, zone = viewerZone(), form = 'full' }: TimeProps) => (
  <time datetime={new Date(at).toISOString()} title={whole(at, zone)} safe>
    {timeText(at, zone, form)}
  </time>
)

/** The reader's time zone. */
export const viewerZone = (): string => currentFormats().zone

/** The short name of the reader's zone, for the heading of a column. */
export const viewerZoneName = (at = new Date()): string => (viewerZone() === 'UTC' ? 'UTC' : zoneName(at, viewerZone()))

/** Names the zone of the times of a view, once. */
export const TimesIn = ({ at = new Date(), zone = viewerZone() }: { at?: Date; zone?: string }) => (
  <small class="muted" safe>
    {`Times in ${zone === 'UTC' ? 'UTC' : `${zone} (${zoneName(at, zone)})`}`}
  </small>
)

/** The words of `Time` alone, for headings and sentences. */
export function timeText(at: Date | string, zone: string, form: TimeForm): string {
  if (form === 'moment') return `${timeText(at, zone, 'day')} ${timeText(at, zone, 'time')}`
  if (form !== 'full' && form !== 'exact') return formatted(at, zone, forms[form])
  const time = timeText(at, zone, form === 'exact' ? 'second' : 'time')
  return `${timeText(at, zone, 'day')} ${time} ${zoneName(at, zone)}`
}

/** A zone's short name at an instant, such as CET or CEST; its offset where English has no name for it. */
export function zoneName(at: Date | string, zone: string): string {
  const names = ['en-GB', 'en-US', 'en-AU'].map((locale) => shortName(at, zone, locale))
  return names.find((name) => !/^(GMT|UTC)[+-]/.test(name)) ?? names[0] ?? zone
}

const whole = (at: Date | string, zone: string): string =>
  `${formatted(at, zone, { ...forms.date, year: 'numeric' })}, ${timeText(at, zone, 'time')} ${zoneName(at, zone)}`

function formatted(at: Date | string, zone: string, options: Intl.DateTimeFormatOptions): string {
  const { language, hourCycle } = currentFormats()
  const hours = options.hour && { hourCycle, ...(hourCycle === 'h12' && { hour: 'numeric' as const }) }
  const text = formatter(language, { ...options, ...hours, timeZone: zone }).format(new Date(at))
  return language === 'en-GB' ? text.replaceAll(',', '') : text
}

const shortName = (at: Date | string, zone: string, locale: string): string =>
  formatter(locale, { timeZone: zone, timeZoneName: 'short' })
    .formatToParts(new Date(at))
    .find((part) => part.type === 'timeZoneName')?.value ?? zone

/** 20 KB each, and readers choose their zones. */
const maxFormatters = 1_000
const formatters = new Map<string, Intl.DateTimeFormat>()

/** Making a formatter costs a hundred times what using one does. */
function formatter(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = locale + JSON.stringify(options)
  const known = formatters.get(key)
  if (known) return known
  if (formatters.size >= maxFormatters) formatters.clear()
  const made = new Intl.DateTimeFormat(locale, options)
  formatters.set(key, made)
  return made
}
