const forms = {
  /** 08:30 */
  time: { hour: '2-digit', minute: '2-digit' },
  /** 08:30:05 */
  second: { hour: '2-digit', minute: '2-digit', second: '2-digit' },
  /** Sat 21 Nov */
  day: { weekday: 'short', day: 'numeric', month: 'short' },
  /** Saturday 21 November */
  date: { weekday: 'long', day: 'numeric', month: 'long' },
  /** 21 November 2026 */
  longDay: { day: 'numeric', month: 'long', year: 'numeric' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

export type TimeForm = keyof typeof forms | 'full' | 'exact'

interface TimeProps {
  at: Date | string
  /** The IANA time zone in which a person reads it. */
  zone: string
  /** `full` names day, time and zone, `exact` also the second; with the others the view names the zone once. */
  form?: TimeForm
}

/** Its title has the full form. */
export const Time = ({ at, zone, form = 'full' }: TimeProps) => (
  <time datetime={new Date(at).toISOString()} title={whole(at, zone)} safe>
    {timeText(at, zone, form)}
  </time>
)

export function timeText(at: Date | string, zone: string, form: TimeForm): string {
  if (form !== 'full' && form !== 'exact') return formatted(at, zone, forms[form])
  const time = timeText(at, zone, form === 'exact' ? 'second' : 'time')
  return `${timeText(at, zone, 'day')} ${time} ${zoneName(at, zone)}`
}

/** Such as CET; the offset where English has no name for it. */
export function zoneName(at: Date | string, zone: string): string {
  const names = ['en-GB', 'en-US', 'en-AU'].map((locale) => shortName(at, zone, locale))
  return names.find((name) => !/^(GMT|UTC)[+-]/.test(name)) ?? names[0] ?? zone
}

const whole = (at: Date | string, zone: string): string =>
  `${formatted(at, zone, { ...forms.date, year: 'numeric' })}, ${timeText(at, zone, 'time')} ${zoneName(at, zone)}`

const formatted = (at: Date | string, zone: string, options: Intl.DateTimeFormatOptions): string =>
  formatter('en-GB', { ...options, timeZone: zone })
    .format(new Date(at))
    .replaceAll(',', '')

const shortName = (at: Date | string, zone: string, locale: string): string =>
  formatter(locale, { timeZone: zone, timeZoneName: 'short' })
    .formatToParts(new Date(at))
    .find((part) => part.type === 'timeZoneName')?.value ?? zone

const formatters = new Map<string, Intl.DateTimeFormat>()

/** Creating a formatter takes a hundred times as long as using it. */
function formatter(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = locale + JSON.stringify(options)
  const known = formatters.get(key) ?? new Intl.DateTimeFormat(locale, options)
  formatters.set(key, known)
  return known
}
