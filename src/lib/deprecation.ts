import { StartupError } from './startup-error.ts'

/** An operation on its way out: it answers until its sunset, 180 days after its deprecation at the earliest (PLT-19). */
export interface Deprecation {
  /** The day of the announcement, such as `2027-01-31`. */
  since: `${number}-${number}-${number}`
  /** The day from which it may be gone. */
  sunset: `${number}-${number}-${number}`
  /** The name of the operation that takes its place. */
  instead?: string
}

const dayMs = 24 * 60 * 60 * 1000
const minDays = 180

/** Throws a StartupError for a sunset that comes sooner than promised. */
export function checkDeprecation(name: string, { since, sunset }: Deprecation): void {
  const days = (Date.parse(sunset) - Date.parse(since)) / dayMs
  if (days >= minDays) return
  throw new StartupError(`${name} is deprecated since ${since} and may not go before ${minDays} days, on ${sunset}.`)
}

/** Where a caller of a deprecated operation is led: to its reference, and to what takes its place. */
interface DeprecationLinks {
  reference: string
  successor: string | null
}

/** RFC 9745 and RFC 8594. */
export function setDeprecation(
  headers: Headers,
  { since, sunset }: Deprecation,
  { reference, successor }: DeprecationLinks,
): void {
  headers.set('Deprecation', `@${Date.parse(since) / 1000}`)
  headers.set('Sunset', new Date(sunset).toUTCString())
  headers.append('Link', `<${reference}>; rel="deprecation"; type="text/html"`)
  if (successor) headers.append('Link', `<${successor}>; rel="successor-version"`)
}
