import { z } from 'zod'
import { nullFor404, notFound } from '#lib/errors.ts'
import { page } from '#lib/page.ts'
import { reply } from '#lib/reply.ts'
import { ignoreInvalid, plainText } from '#lib/text.ts'
import { Day, TimeZone } from '#lib/time.ts'
import { Booking } from '#views/dashboard/marketing/booking.tsx'
import { Demo } from '#views/dashboard/marketing/demo.tsx'
import { Imprint, Privacy, Terms } from '#views/dashboard/marketing/legal.tsx'
import { Contact, Feedback } from '#views/dashboard/marketing/messages.tsx'
import { Pricing } from '#views/dashboard/marketing/pricing.tsx'
import { CheckoutSeats } from '../../checkout/contract.ts'
import { getDemoBooking } from '../demo/demo.operations.ts'
import { noReferrer } from '../../http/no-referrer.ts'
import { keptData } from '../../http/kept-data.ts'
import { operatorOf } from '../../http/operator.ts'
import { readOffers } from './draw-offers.tsx'
import { slotWeek } from '../../http/demo-week.ts'

const site = { permission: 'public', frame: 'site' } as const
const sent = z.object({ sent: ignoreInvalid(z.string().regex(/^[A-Z]-[0-9A-F]{6}$/)) })
const flag = z
  .literal('true')
  .transform(() => true)
  .optional()
  .catch(undefined)

export const contactPage = page({
  ...site,
  path: '/contact',
  title: 'Contact',
  description: 'Ask a question. A person reads every message and replies by email.',
  query: sent,
  load: async ({ input, config }) => ({ sent: input.sent, email: config.OPERATOR_EMAIL ?? null }),
  view: (props, { context }) => <Contact {...props} refused={context.refusedForm} />,
})

export const feedbackPage = page({
  ...site,
  path: '/feedback',
  title: 'Feedback',
  description: 'Tell the people who run Atrium what is broken, missing, or good.',
  query: sent,
  load: async ({ input }) => ({ sent: input.sent, email: null }),
  view: (props, { context }) => <Feedback {...props} refused={context.refusedForm} />,
})

export const pricingPage = page({
  ...site,
  path: '/pricing',
  title: 'Pricing',
  description: 'Packages and seats. Every package has every feature.',
  query: z.object({ seats: ignoreInvalid(CheckoutSeats) }),
  load: async (call) => ({ offers: await readOffers(call, call.input.seats), seats: call.input.seats }),
  view: (props) => <Pricing {...props} />,
})

const slotQuery = { week: ignoreInvalid(Day), timeZone: ignoreInvalid(TimeZone) }

export const demoPage = page({
  ...site,
  path: '/demo',
  title: 'Book a demo',
  description: 'A video call with your own posts. Choose a time in your time zone.',
  query: z.object({ ...slotQuery, startsAt: ignoreInvalid(z.iso.datetime()), booked: flag }),
  load: async (call) => {
    const { week, timeZone, startsAt, booked } = call.input
    return { week: await slotWeek(call, { week: week ?? startsAt?.slice(0, 10), timeZone }), isRepeat: booked }
  },
  view: (props, { context }) => <Demo {...props} refused={context.refusedForm} />,
})

export const demoBookingPage = page({
  ...site,
  path: '/demo/bookings/:token',
  title: 'Your demo',
  query: z.object({ ...slotQuery, token: plainText(200), changed: flag, sent: flag }),
  load: async (call) => {
    const { token, week, timeZone, changed, sent: isSent } = call.input
    const booking = await call.ask(getDemoBooking, { token }).catch(nullFor404)
    if (!booking) throw notFound('booking')
    const zone = timeZone ?? booking.timeZone
    const weekOf = week ?? booking.startsAt.slice(0, 10)
    const choice = booking.state === 'booked' ? await slotWeek(call, { week: weekOf, timeZone: zone }) : undefined
    return reply(200, { token, booking, changed, isSent, week: choice }, { headers: noReferrer })
  },
  view: (props, { context }) => <Booking {...props} refused={context.refusedForm} />,
})

const legal = { ...site, query: z.object({}) } as const

export const privacyPage = page({
  ...legal,
  path: '/privacy',
  title: 'Privacy',
  description: 'What this server keeps about you, why, and for how long.',
  load: async ({ config }) => ({ operator: operatorOf(config), kept: keptData }),
  view: (props) => <Privacy {...props} />,
})

export const termsPage = page({
  ...legal,
  path: '/terms',
  title: 'Terms',
  description: 'What you get, what it costs, and what both sides can expect.',
  load: async ({ config }) => ({ operator: operatorOf(config) }),
  view: (props) => <Terms {...props} />,
})

export const imprintPage = page({
  ...legal,
  path: '/imprint',
  title: 'Imprint',
  description: 'Who runs this server.',
  load: async ({ config }) => ({ operator: operatorOf(config) }),
  view: (props) => <Imprint {...props} />,
})
