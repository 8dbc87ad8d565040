import { z } from 'zod'
import { invalid } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { reply, stream } from '#lib/reply.ts'
import { localDay, wallTime } from '#lib/time.ts'
import { referenceOf } from '../inquiries/store.ts'
import { bookDemo, requireSlot } from './book.ts'
import { cancelBooking, moveBooking } from './change.ts'
import {
  DemoBooking,
  DemoBookingAddress,
  DemoBookingDetail,
  DemoBookingInput,
  DemoBookingMove,
  DemoSlotFilter,
  DemoSlotList,
} from './contract.ts'
import { correctAddress } from './correct.ts'
import { detailOf, findByToken } from './find.ts'
import { listSlots } from './free-slots.ts'
import { calendarFileOf } from './letters.ts'
import { createBookingToken } from './link.ts'
import { noReferrer } from '../../http/no-referrer.ts'
import { areDemosOffered, bookableSpan } from './slots.ts'

const maxDays = 31

export const listDemoSlots = operation({
  route: 'GET /api/demo-slots',
  summary: 'List the times of demos',
  permission: 'public',
  input: DemoSlotFilter,
  output: DemoSlotList,
  run: async (call) => {
    const { input, config, now, db } = call
    const { timeZone = 'UTC' } = input
    const bookable = bookableSpan(config, now())
    const from = Temporal.PlainDate.from(input.from ?? localDay(bookable.startsAt, timeZone))
    const to = input.to ? Temporal.PlainDate.from(input.to) : from.add({ days: 6 })
    if (Temporal.PlainDate.compare(to, from) < 0) throw invalid([{ path: 'to', message: 'Must not be before from.' }])
    if (from.until(to).days >= maxDays)
      throw invalid([{ path: 'to', message: `Must be less than ${maxDays} days after from.` }])
    const midnight = (day: Temporal.PlainDate) => wallTime(`${day.toString()}T00:00`, timeZone)
    const slots = await listSlots(db, call, { startsAt: midnight(from), endsAt: midnight(to.add({ days: 1 })) })
    const local = (at: Date) =>
      Temporal.Instant.fromEpochMilliseconds(at.getTime())
        .toZonedDateTimeISO(timeZone)
        .toPlainDateTime()
        .toString({ smallestUnit: 'minute' })
    return {
      items: slots.map((slot) => ({ ...slot, localTime: local(slot.startsAt) })),
      nextCursor: null,
      timeZone,
      offered: areDemosOffered(config),
      bookableFrom: bookable.startsAt,
      bookableUntil: bookable.endsAt,
    }
  },
})

export const createDemoBooking = operation({
  route: 'POST /api/demo-bookings',
  summary: 'Create a demo booking',
  permission: 'public',
  // Many people can book from one network; those who get a time are counted by the hour.
  limit: 'reads',
  creates: true,
  secrets: ['token'],
  input: DemoBookingInput,
  output: DemoBooking,
  transaction: false,
  problems: { slot_taken: 409, too_many_bookings: 409, too_many_messages: 429, busy: [429, 503] },
  formPage: () => '/demo',
  run: async (call) => {
    const { input, secrets } = call
    const { timeZone = 'UTC' } = input
    const isTrapped = input.website !== undefined
    const { id, isRepeat, startsAt, endsAt } = isTrapped
      ? { id: newId(), isRepeat: true, ...requireSlot(call, input.startsAt) }
      : await bookDemo(call)
    const booking = {
      reference: referenceOf({ id, kind: 'demo' }),
      state: 'booked' as const,
      startsAt,
      endsAt,
      timeZone,
    }
    // Anyone who has an address and a time can repeat a booking: only the first response has its token.
    if (isRepeat) return reply(201, booking, { next: '/demo?booked=true' })
    const token = createBookingToken(secrets, { id, linkVersion: 0 })
    return reply(201, { ...booking, token }, { next: `/demo/bookings/${token}` })
  },
})

const shared = {
  permission: 'public',
  headers: noReferrer,
  output: DemoBookingDetail,
} as const

export const getDemoBooking = operation({
  ...shared,
  route: 'GET /api/demo-bookings/:token',
  summary: 'Get a demo booking',
  input: z.object({ token: z.string().max(200) }),
  problems: { not_found: 404 },
  run: async (call) => detailOf(call, call.db, await findByToken(call, call.db, call.input.token)),
})

export const getDemoCalendar = operation({
  route: 'GET /api/demo-bookings/:token/calendar',
  summary: 'Download the calendar file of a demo',
  permission: 'public',
  headers: noReferrer,
  input: z.object({ token: z.string().max(200) }),
  output: z.null(),
  streams: 'text/calendar',
  problems: { not_found: 404 },
  run: async (call) => {
    const found = await findByToken(call, call.db, call.input.token)
    const { method, content } = calendarFileOf(call, found.state, found)
    const headers = { ...noReferrer, 'Content-Disposition': 'attachment; filename="atrium-demo.ics"' }
    return stream(new Blob([content]), `text/calendar; charset=utf-8; method=${method}`, { headers })
  },
})

export const moveDemoBooking = operation({
  ...shared,
  route: 'PUT /api/demo-bookings/:token',
  summary: 'Update the time of a demo booking',
  input: DemoBookingMove,
  transaction: false,
  problems: { not_found: 404, slot_taken: 409, booking_canceled: 409, too_many_moves: 409 },
  formPage: ({ token }) => `/demo/bookings/${String(token)}`,
  run: async (call) =>
    reply(200, await moveBooking(call, call.input), { next: `/demo/bookings/${call.input.token}?changed=true` }),
})

export const correctDemoAddress = operation({
  ...shared,
  route: 'PUT /api/demo-bookings/:token/email',
  summary: 'Update the address of a demo booking',
  input: DemoBookingAddress,
  secrets: ['token'],
  transaction: false,
  problems: {
    not_found: 404,
    booking_canceled: 409,
    too_many_moves: 409,
    too_many_bookings: 409,
    too_many_messages: 429,
  },
  formPage: ({ token }) => `/demo/bookings/${String(token)}`,
  run: async (call) => {
    const corrected = await correctAddress(call, call.input)
    return reply(200, corrected, { next: `/demo/bookings/${corrected.token}?sent=true` })
  },
})

export const cancelDemoBooking = operation({
  ...shared,
  route: 'DELETE /api/demo-bookings/:token',
  summary: 'Cancel a demo booking',
  input: z.object({ token: z.string().max(200) }),
  transaction: false,
  problems: { not_found: 404 },
  run: async (call) =>
    reply(200, await cancelBooking(call, call.input.token), { next: `/demo/bookings/${call.input.token}` }),
})
