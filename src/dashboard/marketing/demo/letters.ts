import { eq } from 'drizzle-orm'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { mailFrom, type Letter } from '#lib/mail.ts'
import { publicUrl } from '#lib/public-url.ts'
import { demoBookings } from '../../schema.ts'
import { demoLetter, type DemoLetterKind } from '#views/emails/demo.tsx'
import { calendarFile } from './calendar.ts'
import { createBookingToken } from './link.ts'

export interface Booked {
  id: string
  startsAt: Date
  endsAt: Date
  timeZone: string
  sequence: number
  linkVersion: number
  name: string
  email: string
}

type Work = Pick<Call, 'config' | 'secrets' | 'mail' | 'now'>
type Request = Pick<Call, 'request'>

/** With the calendar file, on the transaction of the change. */
export async function sendInvitation(
  call: Work & Request,
  tx: Database,
  kind: 'booked' | 'moved' | 'canceled',
  booked: Booked,
): Promise<void> {
  const letter = demoLetterOf(call, kind, booked, (path) => publicUrl(path, call.config, call.request))
  const mailId = await call.mail.send(tx, booked.email, letter, call.now())
  await tx.update(demoBookings).set({ mailId }).where(eq(demoBookings.id, booked.id))
}

/** To the address that a booking had before it was corrected: nothing in it leads to the booking. */
export async function withdrawInvitation(call: Work & Request, tx: Database, booked: Booked): Promise<void> {
  const letter = demoLetterOf(call, 'withdrawn', booked, (path) => publicUrl(path, call.config, call.request))
  await call.mail.send(tx, booked.email, letter, call.now())
}

/** As the last invitation has it. */
export function calendarFileOf(call: Omit<Work, 'mail'> & Request, state: 'booked' | 'canceled', booked: Booked) {
  const url = publicUrl(pathOf(call, booked), call.config, call.request)
  const method = state === 'canceled' ? 'CANCEL' : 'REQUEST'
  return { method, content: calendarOf(call.config, method, booked, { url, now: call.now() }) } as const
}

const pathOf = ({ secrets }: Pick<Call, 'secrets'>, booked: Booked): string =>
  `/demo/bookings/${createBookingToken(secrets, booked)}`

/** `urlOf` makes a path of this server a URL. */
export function demoLetterOf(
  { config, secrets, now }: Omit<Work, 'mail'>,
  kind: DemoLetterKind,
  booked: Booked,
  urlOf: (path: string) => string,
) {
  const url = urlOf(kind === 'withdrawn' ? '/demo' : pathOf({ secrets }, booked))
  const method = kind === 'canceled' || kind === 'withdrawn' ? 'CANCEL' : 'REQUEST'
  const { DEMO_URL: location = null } = config
  const calendar: false | Letter['calendar'] = kind !== 'reminder' && {
    method,
    content: calendarOf(config, method, booked, { url, now: now() }),
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
    description: method === 'CANCEL' ? url : `Move or cancel it: ${url}`,
    location: config.DEMO_URL ?? null,
    url,
    organizer: addressIn(mailFrom(config)),
    attendee: { name, email },
    now,
  })

/** Of `Atrium <atrium@example.com>`. */
const addressIn = (from: string): string => /[^<>\s]+@[^<>\s]+/.exec(from)?.[0] ?? from
