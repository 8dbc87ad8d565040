import { icalFile, icalText, icalTime } from '#lib/ical.ts'

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
  icalFile([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Atrium//Demo bookings//EN',
    'CALSCALE:GREGORIAN',
    `METHOD:${event.method}`,
    'BEGIN:VEVENT',
    `UID:${event.uid}`,
    `SEQUENCE:${event.sequence}`,
    `DTSTAMP:${icalTime(event.now)}`,
    `DTSTART:${icalTime(event.startsAt)}`,
    `DTEND:${icalTime(event.endsAt)}`,
    `SUMMARY:${icalText(event.summary)}`,
    `DESCRIPTION:${icalText(event.description)}`,
    ...(event.location ? [`LOCATION:${icalText(event.location)}`] : []),
    `URL:${event.url}`,
    `ORGANIZER;CN=Atrium:mailto:${event.organizer}`,
    `ATTENDEE;CN=${quoteParameter(event.attendee.name)};ROLE=REQ-PARTICIPANT;RSVP=FALSE:mailto:${event.attendee.email}`,
    `STATUS:${event.method === 'CANCEL' ? 'CANCELLED' : 'CONFIRMED'}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ])

/** A parameter can hold neither quotes nor control characters. */
const quoteParameter = (text: string): string => `"${text.replaceAll(/["\p{Cc}]/gu, ' ')}"`
