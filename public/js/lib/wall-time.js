/**
 * The instant of a wall time in a zone in milliseconds; null while it is incomplete.
 * @param {string} date as `2026-11-21`
 * @param {string} time as `09:30`
 * @param {string} zone an IANA name
 */
export function instantOf(date, time, zone) {
  const asUtc = Date.parse(`${date}T${time}Z`)
  if (Number.isNaN(asUtc)) return null
  // Twice, since the first result can be on the other side of a daylight-saving change.
  return asUtc - offsetAt(asUtc - offsetAt(asUtc, zone), zone)
}

/**
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
 * A time in the future with its distance: `Monday 23 November, in 1 day 22 h`.
 * @param {number} at
 * @param {number} now
 * @param {string} zone
 */
export function inWords(at, now, zone) {
  if (at <= now) return 'Choose a time in the future.'
  const day = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', timeZone: zone })
  return `${day.format(at).replace(',', '')}, in ${lengthOf(at - now)}`
}

/** @param {number} milliseconds */
function lengthOf(milliseconds) {
  const minutes = Math.ceil(milliseconds / 60_000)
  const days = Math.floor(minutes / 1440)
  const hours = Math.floor((minutes % 1440) / 60)
  const parts = [
    days && `${days} ${days === 1 ? 'day' : 'days'}`,
    hours && `${hours} h`,
    !days && minutes % 60 && `${minutes % 60} min`,
  ]
  return parts.filter(Boolean).join(' ')
}
