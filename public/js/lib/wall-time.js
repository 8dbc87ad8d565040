const dayMs = 24 * 3600_000

/**
 * The instants of a wall time in a zone in milliseconds, in order: none when clocks skip it, two when it occurs twice;
 * null while it is incomplete.
 * @param {string} date as `2026-11-21`
 * @param {string} time as `09:30`
 * @param {string} zone an IANA name
 */
function instantsOf(date, time, zone) {
  const asUtc = Date.parse(`${date}T${time}Z`)
  if (Number.isNaN(asUtc)) return null
  const offsets = new Set([asUtc - dayMs, asUtc + dayMs].map((near) => offsetAt(near, zone)))
  return [...offsets]
    .filter((offset) => offsetAt(asUtc - offset, zone) === offset)
    .map((offset) => asUtc - offset)
    .sort((one, other) => one - other)
}

/**
 * A zone's offset from UTC in milliseconds.
 * @param {number} at
 * @param {string} zone
 */
function offsetAt(at, zone) {
  const parts = new Intl.DateTimeFormat('en', { ...fields, timeZone: zone, hourCycle: 'h23' }).formatToParts(at)
  /** @param {string} type */
  const of = (type) => Number(parts.find((part) => part.type === type)?.value)
  const local = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'))
  return local - Math.floor(at / 1000) * 1000
}

/** @type {Intl.DateTimeFormatOptions} */
const fields = {
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
}

/**
 * When a post is published, in its zone and in the reader's: `Sun 22 Nov 01:30 CET · 19:30 your time`.
 * @param {{ date: string, time: string, zone: string, own: string, now: number }} wall
 * @returns {{ words: string, isWrong: boolean }}
 */
export function scheduleInWords({ date, time, zone, own, now }) {
  const instants = instantsOf(date, time, zone)
  if (!instants) return { words: 'Choose a date and a time.', isWrong: false }
  const [at, again] = instants
  if (at === undefined)
    return { words: `${time} doesn’t exist on this day: clocks go forward. Choose another time.`, isWrong: true }
  if (at <= now) return { words: 'Choose a time in the future.', isWrong: true }
  const twice = again === undefined ? '' : '. This time occurs twice on this day: the first one is used.'
  return { words: `${instantInWords({ at, zone, own, now })}${twice}`, isWrong: false }
}

/**
 * An instant in its zone and in the reader's.
 * @param {{ at: number, zone: string, own: string, now: number }} instant
 */
export function instantInWords({ at, zone, own, now }) {
  const there = `${inZone(at, zone, dayOf(at, now))} ${zoneName(at, zone)}`
  return own === zone || inZone(at, own) === inZone(at, zone) ? there : `${there} · ${inOwn(at, zone, own)} your time`
}

/** @type {Intl.DateTimeFormatOptions} */
const minute = { hour: '2-digit', minute: '2-digit' }
/** @type {Intl.DateTimeFormatOptions} */
const day = { weekday: 'short', day: 'numeric', month: 'short' }

/** With the year when it is another one. @param {number} at @param {number} now @returns {Intl.DateTimeFormatOptions} */
const dayOf = (at, now) =>
  new Date(at).getUTCFullYear() === new Date(now).getUTCFullYear() ? day : { ...day, year: 'numeric' }

/** @param {number} at @param {string} timeZone @param {Intl.DateTimeFormatOptions} [withDay] */
const inZone = (at, timeZone, withDay = day) =>
  new Intl.DateTimeFormat('en-GB', { ...withDay, ...minute, timeZone }).format(at).replaceAll(',', '')

/** The reader's time, with the day when it is another one. @param {number} at @param {string} zone @param {string} own */
function inOwn(at, zone, own) {
  /** @param {string} timeZone */
  const dayIn = (timeZone) => new Intl.DateTimeFormat('en-GB', { ...day, timeZone }).format(at)
  return dayIn(zone) === dayIn(own) ? inZone(at, own, {}) : inZone(at, own)
}

/** Such as CET. @param {number} at @param {string} timeZone */
const zoneName = (at, timeZone) =>
  new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'short' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')?.value ?? timeZone
