import { eq } from 'drizzle-orm'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { mailFrom } from '#lib/mail.ts'
import { publicUrl } from '#lib/public-url.ts'
import { demoBookings } from '../../schema.ts'
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
type Request = Pick<Call, 'request'>

/** With the calendar file, on the transaction of the change. */
export async function sendInvitation(
  call: Work & Request,
  tx: Database,
  kind: Exclude<DemoLetterKind, 'reminder'>,
  booked: Booked,
): Promise<void> {
  const letter = demoLetterOf(call, kind, booked, (path) => publicUrl(path, call.config, call.request))
  const mailId = await call.mail.send(tx, booked.email, letter, call.now())
  await tx.update(demoBookings).set({ mailId }).where(eq(demoBookings.id, booked.id))
}

/** As the last invitation has it. */
export function calendarFileOf(call: Omit<Work, 'mail'> & Request, state: 'booked' | 'canceled', booked: Booked) {
  const url = publicUrl(pathOf(call, booked), call.config, call.request)
  const method = state === 'canceled' ? 'CANCEL' : 'REQUEST'
  return { method, content: calendarOf(call.config, method, booked, { url, now: call.now() }) } as const
}

const pathOf = ({ secrets }: Pick<Call, 'secrets'>, { id }: Pick<Booked, 'id'>): string =>
  `/demo/bookings/${createLinkToken(secrets, 'demo booking links', id)}`

/** `urlOf` makes a path of this server a URL. */
export function demoLetterOf(
  { config, secrets, now }: Omit<Work, 'mail'>,
  kind: DemoLetterKind,
  booked: Booked,
  urlOf: (path: string) => string,
) {
  const url = urlOf(pathOf({ secrets }, booked))
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
