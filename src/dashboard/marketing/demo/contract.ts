import { z } from 'zod'
import { listOf } from '#lib/paginate.ts'
import { optionalField, plainText } from '#lib/text.ts'
import { Day, Instant, Timestamp, TimeZone } from '#lib/time.ts'
import { Email, Honeypot, Name } from '../inquiries/contract.ts'

const Zone = optionalField(TimeZone).describe('An IANA time zone, in which days are counted; by default UTC.')

/** In responses: a name that formats of times take. */
const KnownZone = z.string().refine((zone) => TimeZone.safeParse(zone).success)

export const DemoSlotFilter = z.object({
  from: optionalField(Day).describe('The first day; by default today.'),
  to: optionalField(Day).describe('The last day, at most 31 days later; by default six days later.'),
  timeZone: Zone,
})

export const DemoSlot = z.object({
  startsAt: Timestamp,
  endsAt: Timestamp,
  localTime: z.iso
    .datetime({ local: true, precision: -1 })
    .describe('The beginning in `timeZone`, such as `2026-11-24T11:00`.'),
  available: z.boolean(),
})
export type DemoSlot = z.output<typeof DemoSlot>

export const DemoSlotList = listOf(DemoSlot).extend({
  timeZone: KnownZone,
  offered: z.boolean().describe('Whether demos can be booked here at all.'),
  bookableFrom: Timestamp,
  bookableUntil: Timestamp,
})
export type DemoSlotList = z.output<typeof DemoSlotList>

export const DemoBookingInput = z.object({
  email: Email,
  name: Name,
  startsAt: z.string('Choose a time.').pipe(Instant),
  timeZone: Zone,
  message: optionalField(plainText(2000).trim()).describe('What the demo should show.'),
  website: Honeypot,
})
export type DemoBookingInput = z.output<typeof DemoBookingInput>

export const DemoBookingMove = z.object({
  token: z.string().max(200),
  startsAt: z.string('Choose a time.').pipe(Instant),
  timeZone: Zone,
})

export const DemoBookingAddress = z.object({
  token: z.string().max(200),
  email: Email.describe('Gets the invitation, also when it is the same address.'),
})
export type DemoBookingAddress = z.output<typeof DemoBookingAddress>

export const DemoBooking = z.object({
  reference: z.string(),
  state: z.enum(['booked', 'canceled']),
  startsAt: Timestamp,
  endsAt: Timestamp,
  timeZone: KnownZone,
  token: z
    .string()
    .optional()
    .describe(
      'For the requests that move and cancel it. Also in the invitation’s links. Another address gets another one.',
    ),
})
export type DemoBooking = z.output<typeof DemoBooking>

export const DemoBookingDetail = DemoBooking.extend({
  name: z.string(),
  email: z.string(),
  message: z.string().nullable(),
  meetingUrl: z.string().nullable(),
  invitationRefused: z
    .boolean()
    .describe('Whether the mail server of the address refused the last invitation. Correct the address then.'),
})
export type DemoBookingDetail = z.output<typeof DemoBookingDetail>
export type StoredBooking = z.input<typeof DemoBookingDetail>
