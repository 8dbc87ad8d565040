import { StartupError } from './startup-error.ts'

export interface Deprecation {
  since: `${number}-${number}-${number}`
  sunset: `${number}-${number}-${number}`
  instead?: string
}

const dayMs = 24 * 60 * 60 * 1000
const minDays = 180

/** @throws {StartupError} for a sunset less than 180 days later (PLT-19) */
export function checkDeprecation(name: string, { since, sunset }: Deprecation): void {
  const days = (Date.parse(sunset) - Date.parse(since)) / dayMs
  if (days >= minDays) return
  throw new StartupError(
    `${name} is deprecated since ${since} and can’t be removed within ${minDays} days, on ${sunset}.`,
  )
}

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
