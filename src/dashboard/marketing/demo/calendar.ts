export interface CalendarEvent {
  /** The same for every message about the event. */
  uid: string
  sequence: number
  method: 'REQUEST' | 'CANCEL'
  startsAt: Date
  endsAt: Date
  summary: string
  description: string
  location: string | null
  url: string
  organizer: string
  attendee: { name: string; email: string }
  now: Date
}

/** RFC 5545 and 5546. Times are in UTC, so no rules of time zones are needed. */
export const calendarFile = (event: CalendarEvent): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Atrium//Demo bookings//EN',
    'CALSCALE:GREGORIAN',
    `METHOD:${event.method}`,
    'BEGIN:VEVENT',
    `UID:${event.uid}`,
    `SEQUENCE:${event.sequence}`,
    `DTSTAMP:${stamp(event.now)}`,
    `DTSTART:${stamp(event.startsAt)}`,
    `DTEND:${stamp(event.endsAt)}`,
    `SUMMARY:${escapeText(event.summary)}`,
    `DESCRIPTION:${escapeText(event.description)}`,
    ...(event.location ? [`LOCATION:${escapeText(event.location)}`] : []),
    `URL:${event.url}`,
    `ORGANIZER;CN=Atrium:mailto:${event.organizer}`,
    `ATTENDEE;CN=${quoteParameter(event.attendee.name)};ROLE=REQ-PARTICIPANT;RSVP=FALSE:mailto:${event.attendee.email}`,
    `STATUS:${event.method === 'CANCEL' ? 'CANCELLED' : 'CONFIRMED'}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ]
    .flatMap(fold)
    .map((line) => `${line}\r\n`)
    .join('')

const stamp = (at: Date): string => `${at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`

const escapeText = (text: string): string =>
  text.replaceAll(/[\\;,]/g, String.raw`\$&`).replaceAll(/\r?\n/g, String.raw`\n`)

/** A parameter can hold neither quotes nor control characters. */
const quoteParameter = (text: string): string => `"${text.replaceAll(/["\p{Cc}]/gu, ' ')}"`

/** Lines of at most 75 bytes, without splitting a character. */
function fold(line: string): string[] {
  const lines: string[] = []
  let current = ''
  for (const character of line) {
    if (Buffer.byteLength(current + character) > 75) {
      lines.push(current)
      current = ' '
    }
    current += character
  }
  return [...lines, current]
}
