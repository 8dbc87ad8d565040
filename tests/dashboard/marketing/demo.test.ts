import { afterAll, beforeAll, expect, test } from 'bun:test'
import { slotsWithin, type DemoSettings } from '../../../src/dashboard/marketing/demo/slots.ts'
import { openVisitors, type Visitors } from './visitors.ts'

let site: Visitors
beforeAll(async () => {
  site = await openVisitors()
})
afterAll(() => site.close())

interface Slot {
  startsAt: string
  available: boolean
}

interface Booking {
  reference: string
  state: string
  startsAt: string
  token: string
}

const days = 24 * 60 * 60_000
const dayIn = (count: number) => new Date(Date.now() + count * days).toISOString().slice(0, 10)

async function freeSlots(): Promise<Slot[]> {
  const path = `GET /api/demo-slots?from=${dayIn(2)}&to=${dayIn(20)}&timeZone=Europe/Lisbon`
  const { items } = await site.fetchJson<{ items: Slot[] }>(path)
  return items.filter(({ available }) => available)
}

async function freeSlot(): Promise<string> {
  const [slot] = await freeSlots()
  return slot?.startsAt ?? ''
}

const book = (startsAt: string, email: string, address = '192.0.2.1') => {
  const visitor = { email, name: 'Cleo', startsAt, timeZone: 'Europe/Paris' }
  return site.fetch('POST /api/demo-bookings', visitor, { 'x-forwarded-for': address })
}

async function booked(startsAt: string, email: string, address?: string): Promise<Booking> {
  const response = await book(startsAt, email, address)
  expect(response.status).toBe(201)
  return response.json()
}

interface Mail {
  id: string
  subject: string
  calendar?: { method: string; content: string }
}

async function mailsTo(email: string): Promise<Mail[]> {
  const { items } = await site.fetchJson<{ items: Mail[] }>(`GET /dev/mailbox/api/mails?q=${encodeURIComponent(email)}`)
  const opened = items.map(({ id }) => site.fetchJson<Mail>(`GET /dev/mailbox/api/mails/${id}`))
  return Promise.all(opened)
}

const unfolded = (mail?: Mail) => (mail?.calendar?.content ?? '').replaceAll('\r\n ', '').split('\r\n')

test('DSH-30 200 people book 20 slots at once: 20 get one, 180 learn the next free ones', async () => {
  const wanted = (await freeSlots()).slice(0, 20)
  expect(wanted.length).toBe(20)
  const requests = Array.from({ length: 200 }, (_, at) =>
    book(wanted[at % 20]?.startsAt ?? '', `person-${at}@example.com`),
  )
  const responses = await Promise.all(requests)
  const [won, lost] = [201, 409].map((status) => responses.filter((response) => response.status === status))
  expect([won?.length, lost?.length]).toEqual([20, 180])
  const given: Booking[] = await Promise.all((won ?? []).map((response) => response.json()))
  expect(given.map(({ startsAt }) => startsAt).sort()).toEqual(wanted.map(({ startsAt }) => startsAt).sort())
  for (const response of lost ?? []) {
    const problem = await response.json()
    expect(problem).toMatchObject({ code: 'slot_taken', detail: expect.stringContaining('choose another time') })
    expect(problem.nextSlots.length).toBeGreaterThan(0)
  }
  const free = (await freeSlots()).map(({ startsAt }) => startsAt)
  expect(wanted.filter(({ startsAt }) => free.includes(startsAt))).toEqual([])
})

test('DSH-30 booked demo mails an invitation, and moving and canceling update the same event', async () => {
  const email = 'cleo@example.com'
  const [first, second] = await freeSlots()
  const { token } = await booked(first?.startsAt ?? '', email)
  const moved = await site.fetchJson<Booking>(`PUT /api/demo-bookings/${token}`, {
    startsAt: second?.startsAt,
  })
  expect(moved.startsAt).toBe(second?.startsAt ?? '')
  expect(await freeSlot()).toBe(first?.startsAt ?? '')
  const canceled = await site.fetchJson<Booking>(`DELETE /api/demo-bookings/${token}`)
  expect(canceled.state).toBe('canceled')
  const mails = await mailsTo(email)
  expect(mails.map(({ subject, calendar }) => [subject, calendar?.method]).reverse()).toEqual([
    ['Your Atrium demo is booked', 'REQUEST'],
    ['Your Atrium demo has moved', 'REQUEST'],
    ['Your Atrium demo is canceled', 'CANCEL'],
  ])
  const events = mails.map(unfolded).reverse()
  const field = (name: string) => events.map((lines) => lines.find((line) => line.startsWith(`${name}:`)))
  expect(field('SEQUENCE')).toEqual(['SEQUENCE:0', 'SEQUENCE:1', 'SEQUENCE:2'])
  expect(new Set(field('UID')).size).toBe(1)
  expect(field('METHOD')).toEqual(['METHOD:REQUEST', 'METHOD:REQUEST', 'METHOD:CANCEL'])
  expect(field('DTSTART')[1]).toBe(`DTSTART:${second?.startsAt.slice(0, 19).replaceAll(/[-:]/g, '')}Z`)
  for (const { calendar } of mails)
    for (const line of calendar?.content.split('\r\n') ?? []) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
})

test('DSH-30 moving to a taken time changes nothing and names free times', async () => {
  const [first, second] = await freeSlots()
  const mine = await booked(first?.startsAt ?? '', 'mover@example.com')
  await booked(second?.startsAt ?? '', 'other@example.com')
  const response = await site.fetch(`PUT /api/demo-bookings/${mine.token}`, { startsAt: second?.startsAt })
  expect([response.status, (await response.json()).code]).toEqual([409, 'slot_taken'])
  const unchanged = await site.fetchJson<Booking>(`GET /api/demo-bookings/${mine.token}`)
  expect([unchanged.startsAt, unchanged.state]).toEqual([first?.startsAt ?? '', 'booked'])
})

test('DSH-30 repeated booking answers without the token, and a changed token opens nothing', async () => {
  const startsAt = await freeSlot()
  const first = await booked(startsAt, 'twice@example.com')
  const again = await booked(startsAt, 'TWICE@example.com')
  expect(again).not.toHaveProperty('token')
  expect(again.reference).toBe(first.reference)
  const changed = `${first.token.slice(0, -1)}${first.token.endsWith('A') ? 'B' : 'A'}`
  expect((await site.fetch(`GET /api/demo-bookings/${changed}`)).status).toBe(404)
  expect((await site.fetch(`DELETE /api/demo-bookings/${changed}`)).status).toBe(404)
})

const subjectsTo = async (email: string) => (await mailsTo(email)).map(({ subject }) => subject)

test('DSH-30 emails of one booking are few, when it is moved again and again and canceled ten times at once', async () => {
  const email = 'bombed@example.com'
  const [first, second] = await freeSlots()
  const { token } = await booked(first?.startsAt ?? '', email)
  const move = (at: number) =>
    site.fetch(`PUT /api/demo-bookings/${token}`, { startsAt: (at % 2 === 0 ? second : first)?.startsAt })
  for (let at = 0; at < 10; at++) expect((await move(at)).status).toBe(200)
  const refused = await move(10)
  expect([refused.status, (await refused.json()).code]).toEqual([409, 'too_many_moves'])
  const cancel = () => site.fetch(`DELETE /api/demo-bookings/${token}`)
  const ended = await Promise.all(Array.from({ length: 10 }, cancel))
  expect(ended.map(({ status }) => status)).toEqual(Array<number>(10).fill(200))
  const subjects = await subjectsTo(email)
  expect(subjects.filter((subject) => subject.includes('canceled'))).toHaveLength(1)
})

test('DSH-30 address has at most two demos, when it books six times at once, and five in a day', async () => {
  const [email, address] = ['greedy@example.com', '192.0.2.2']
  const slots = await freeSlots()
  const all = await Promise.all(slots.slice(0, 6).map(({ startsAt }) => book(startsAt, email, address)))
  const made: Booking[] = await Promise.all(all.filter(({ status }) => status === 201).map((each) => each.json()))
  expect(made).toHaveLength(2)
  for (const { token } of made) await site.fetchJson(`DELETE /api/demo-bookings/${token}`)
  for (const { startsAt } of slots.slice(6, 9))
    await site.fetchJson(`DELETE /api/demo-bookings/${(await booked(startsAt, email, address)).token}`)
  const refused = await book(slots[9]?.startsAt ?? '', email, address)
  expect([refused.status, (await refused.json()).code]).toEqual([409, 'too_many_bookings'])
})

test('DSH-30 time that is not offered is refused, and plain forms keep what was typed', async () => {
  const refused = await book(new Date(Date.now() + 3 * days).toISOString(), 'odd@example.com')
  expect(await refused.json()).toMatchObject({ status: 422, errors: [{ path: 'startsAt' }] })
  const startsAt = await freeSlot()
  await booked(startsAt, 'before@example.com')
  const form = { startsAt, name: 'Late <b>', email: 'late@example.com', timeZone: 'Asia/Tokyo' }
  const response = await site.submit('/api/demo-bookings', form)
  const html = await response.text()
  expect(response.status).toBe(409)
  expect(html).toContain('Someone just booked this time')
  expect(html).toContain('value="Late <b>"')
  expect(html).toContain('<option value="Asia/Tokyo" selected')
})

const settings: DemoSettings = {
  DEMO_HOURS: [{ from: 9 * 60, until: 10 * 60 }],
  DEMO_DAYS: [1, 2, 3, 4, 5, 6, 7],
  DEMO_MINUTES: 30,
  DEMO_TIME_ZONE: 'Europe/Berlin',
  DEMO_LEAD_HOURS: 0,
  DEMO_HORIZON_DAYS: 100,
  DEMO_CLOSED_DAYS: ['2026-10-26'],
}

const startsBetween = (from: string, to: string, changes: Partial<DemoSettings> = {}) =>
  slotsWithin(
    { ...settings, ...changes },
    { startsAt: new Date(from), endsAt: new Date(to) },
    new Date('2026-10-01T00:00:00Z'),
  ).map(({ startsAt }) => startsAt.toISOString())

test('DSH-30 slots keep their local hours when summer time ends, without closed days', () => {
  expect(startsBetween('2026-10-24T00:00:00Z', '2026-10-28T00:00:00Z')).toEqual([
    '2026-10-24T07:00:00.000Z',
    '2026-10-24T07:30:00.000Z',
    '2026-10-25T08:00:00.000Z',
    '2026-10-25T08:30:00.000Z',
    '2026-10-27T08:00:00.000Z',
    '2026-10-27T08:30:00.000Z',
  ])
})

test('DSH-30 slots at an hour that summer time skips are not offered', () => {
  const night = { DEMO_HOURS: [{ from: 90, until: 210 }], DEMO_HORIZON_DAYS: 200, DEMO_MINUTES: 30 }
  const starts = startsBetween('2027-03-28T00:00:00Z', '2027-03-28T12:00:00Z', night)
  // 01:30 is before the change, 02:00 and 02:30 don't exist, 03:00 is an hour later on the clock.
  expect(starts).toEqual(['2027-03-28T00:30:00.000Z', '2027-03-28T01:00:00.000Z'])
})

test('DSH-30 demo page begins with the first week that has a free time', async () => {
  // On every day but Sunday, the first Monday that can be booked is in a later week.
  const mondays = await openVisitors({ DEMO_DAYS: '1', DEMO_LEAD_HOURS: '24' })
  try {
    const page = await mondays.fetch('GET /demo', undefined, { accept: 'text/html' })
    expect(await page.text()).toContain('name="startsAt" value=')
  } finally {
    await mondays.close()
  }
})
