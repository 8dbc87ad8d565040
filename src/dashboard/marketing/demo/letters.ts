import type { Call } from '#lib/call.ts'
import { mailFrom } from '#lib/mail.ts'
import { createLinkToken } from '../link-token.ts'
import { demoLetter, type DemoLetterKind } from '#views/emails/demo.tsx'
import { calendarFile } from './calendar.ts'

export interface Booked {
  id: string
  startsAt: Date
  endsAt: Date
  timeZone: string
  sequence: number
  name: string
  email: string
}

type Work = Pick<Call, 'config' | 'secrets' | 'mail' | 'now'>

/** `urlOf` makes a path of this server a URL. */
export function demoLetterOf(
  { config, secrets, now }: Omit<Work, 'mail'>,
  kind: DemoLetterKind,
  booked: Booked,
  urlOf: (path: string) => string,
) {
  const url = urlOf(`/demo/bookings/${createLinkToken(secrets, 'demo booking links', booked.id)}`)
  const { DEMO_URL: location = null } = config
  const calendar = kind !== 'reminder' && {
    method: kind === 'canceled' ? ('CANCEL' as const) : ('REQUEST' as const),
    content: calendarOf(config, kind === 'canceled' ? 'CANCEL' : 'REQUEST', booked, { url, now: now() }),
  }
  return demoLetter({ kind, ...booked, url, meetingUrl: location, ...(calendar && { calendar }) })
}

const calendarOf = (
  config: Work['config'],
  method: 'REQUEST' | 'CANCEL',
  { id, startsAt, endsAt, sequence, name, email }: Booked,
  { url, now }: { url: string; now: Date },
): string =>
  calendarFile({
    uid: `${id}@${new URL(url).hostname}`,
    sequence,
    method,
    startsAt,
    endsAt,
    summary: 'Atrium demo',
    description: `Move or cancel it: ${url}`,
    location: config.DEMO_URL ?? null,
    url,
    organizer: addressIn(mailFrom(config)),
    attendee: { name, email },
    now,
  })

/** Of `Atrium <atrium@example.com>`. */
const addressIn = (from: string): string => /[^<>\s]+@[^<>\s]+/.exec(from)?.[0] ?? from
