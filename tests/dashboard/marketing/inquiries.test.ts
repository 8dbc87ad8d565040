import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openVisitors, type Visitors } from './visitors.ts'

let site: Visitors
beforeAll(async () => {
  site = await openVisitors()
})
afterAll(() => site.close())

const message = { name: 'Petra Voss', email: 'petra@example.com', message: 'Can we start with two brands?' }

/** What was stored, by kind or a part of its message, with the fields that the inbox shows. */
const stored = (where: { kind?: string; message?: string }) => site.stored(where)

test('DSH-30 contact message is stored once and reaches the inbox', async () => {
  const first = await site.fetchJson<{ reference: string }>('POST /api/contact', message, 201)
  expect(first.reference).toMatch(/^C-[0-9A-F]{6}$/)
  expect(await site.fetchJson<unknown>('POST /api/contact', message, 201)).toEqual(first)
  const found = await stored({ message: message.message })
  expect(found).toMatchObject([{ kind: 'contact', state: 'open', email: 'petra@example.com', name: 'Petra Voss' }])
})

test('DSH-30 contact message without a reply address is refused beside the field, feedback is not', async () => {
  const refused = await site.fetch('POST /api/contact', { message: 'Hello' })
  expect(refused.status).toBe(422)
  const { errors } = await refused.json()
  expect(errors.map(({ path }: { path: string }) => path).sort()).toEqual(['email', 'name'])
  await site.fetchJson('POST /api/contact', { kind: 'feedback', topic: 'idea', message: 'More keys' }, 201)
  expect(await stored({ kind: 'feedback' })).toMatchObject([{ topics: ['idea'], email: null, message: 'More keys' }])
})

test('DSH-30 refused plain form shows its page with the error and what was entered', async () => {
  const response = await site.submit('/api/contact', {
    kind: 'contact',
    name: 'Jo',
    email: 'jo@',
    message: 'I wrote <much>',
  })
  expect(response.status).toBe(422)
  const html = await response.text()
  expect(html).toContain('<title>Contact')
  expect(html).toContain('I wrote &lt;much&gt;')
  expect(html).toContain('value="Jo"')
  expect(html).toContain('id="email-error"')
  const sent = await site.submit('/api/contact', { ...message, kind: 'contact', message: 'From a form' })
  expect([sent.status, sent.headers.get('location')]).toEqual([303, expect.stringMatching(/^\/contact\?sent=C-/)])
})

test('DSH-30 filled honeypot looks like success and stores nothing', async () => {
  const caught = await site.fetchJson<{ reference: string }>(
    'POST /api/contact',
    { ...message, message: 'Cheap watches', website: 'https://spam.example' },
    201,
  )
  expect(caught.reference).toMatch(/^C-/)
  expect(await stored({ message: 'Cheap watches' })).toEqual([])
})

test('DSH-30 address is on the waitlist once, with its last choice', async () => {
  await site.fetchJson('POST /api/waitlist', { email: 'W@Example.com', topics: ['video'] }, 201)
  await site.fetchJson('POST /api/waitlist', { email: 'w@example.com', topics: ['calendar'] }, 201)
  expect(await stored({ kind: 'waitlist' })).toMatchObject([{ email: 'w@example.com', topics: ['calendar'] }])
})

/** The links of the emails to an address, newest first. */
async function linksTo(email: string): Promise<string[]> {
  const { items } = await site.fetchJson<{ items: { id: string }[] }>(`GET /dev/mailbox/api/mails?q=${email}`)
  const texts = await Promise.all(
    items.map(({ id }) => site.fetchJson<{ text: string }>(`GET /dev/mailbox/api/mails/${id}`)),
  )
  return texts.map(({ text }) => /https?:\S+\/waitlist\/entries\/(\S+)/.exec(text)?.[1] ?? '')
}

test('DSH-30 waitlist entry counts once its address is confirmed by a button, and is deleted by the same link', async () => {
  await site.fetchJson('POST /api/waitlist', { email: 'twice@example.com', topics: ['video'] }, 201)
  const [token = ''] = await linksTo('twice@example.com')
  const read = () => site.fetchJson<{ confirmedAt: string | null; expiresAt: string }>(`GET /api/waitlist/${token}`)
  // As the scanner of a mail server does.
  const opened = await site.fetch(`GET /waitlist/entries/${token}`, undefined, { accept: 'text/html' })
  expect([opened.status, opened.headers.get('referrer-policy')]).toEqual([200, 'no-referrer'])
  expect(await opened.text()).toContain('noindex')
  const before = await read()
  expect([before.confirmedAt, daysUntil(before.expiresAt)]).toEqual([null, 7])
  const confirmed = await site.submit(`/api/waitlist/${token}/confirm`, {})
  expect([confirmed.status, confirmed.headers.get('location')]).toEqual([303, `/waitlist/entries/${token}`])
  const after = await read()
  expect([after.confirmedAt, daysUntil(after.expiresAt)]).toEqual([expect.any(String), 730])
  await site.submit(`/api/waitlist/${token}/confirm`, {})
  expect(await read()).toEqual(after)
  // Someone else who enters the address can neither change the entry nor have another email sent.
  await site.fetchJson('POST /api/waitlist', { email: 'twice@example.com', topics: ['hosting'] }, 201)
  expect(await read()).toEqual(after)
  expect(await linksTo('twice@example.com')).toHaveLength(1)
  const left = await site.submit(`/api/waitlist/${token}?_method=DELETE`, {})
  expect(left.headers.get('location')).toBe('/waitlist?left=true')
  expect((await site.fetch(`GET /api/waitlist/${token}`)).status).toBe(404)
})

test('DSH-30 unconfirmed waitlist entry can’t be confirmed after a week and is deleted; its link is sent three times a day', async () => {
  const email = 'late@example.com'
  for (let time = 0; time < 4; time++) await site.fetchJson('POST /api/waitlist', { email, topics: ['video'] }, 201)
  const [token = '', ...others] = await linksTo(email)
  expect(others).toHaveLength(2)
  const foreign = token.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
  expect((await site.submit(`/api/waitlist/${foreign}/confirm`, {})).status).toBe(404)
  await site.expire(email)
  expect((await site.submit(`/api/waitlist/${token}/confirm`, {})).status).toBe(404)
  await site.fetchJson('POST /api/waitlist', { email, topics: ['video'] }, 201)
  expect((await site.fetch(`GET /api/waitlist/${token}`)).status).toBe(200)
})

const daysUntil = (time: string): number => Math.round((Date.parse(time) - Date.now()) / (24 * 60 * 60_000))

test('DSH-30 forms of one network are limited, and other networks are not', async () => {
  const send = (number: number, address: string) =>
    site.fetch('POST /api/contact', { kind: 'feedback', message: `Number ${number}` }, { 'x-forwarded-for': address })
  for (let number = 0; number < 30; number++) expect((await send(number, '192.0.2.7')).status).toBe(201)
  const refused = await send(30, '192.0.2.7')
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '3600'])
  expect((await refused.json()).code).toBe('too_many_messages')
  expect((await send(30, '192.0.2.8')).status).toBe(201)
  const fromSite = await Promise.all(Array.from({ length: 6 }, (_, at) => sendMany(send, `2001:db8:7:${at}::1`)))
  expect(fromSite.flat().filter((status) => status === 201)).toHaveLength(150)
  expect((await send(31, '2001:db8:8::1')).status).toBe(201)
})

/** As many as one network can send. */
async function sendMany(send: (number: number, address: string) => Promise<Response>, address: string) {
  const statuses: number[] = []
  for (let number = 0; number < 30; number++) statuses.push((await send(number, address)).status)
  return statuses
}

const formRequests = {
  waitlist: { route: 'POST /api/waitlist', fields: () => ({ topics: ['video'] }) },
  'demo bookings': {
    route: 'POST /api/demo-bookings',
    fields: (startsAt: string) => ({ name: 'Many', startsAt, timeZone: 'UTC' }),
  },
}

test.each(['waitlist', 'demo bookings'] as const)(
  'DSH-30 %s of one network are limited, and those of other networks are not',
  async (form) => {
    const times = await freeTimes()
    const { route, fields } = formRequests[form]
    const send = (at: number, address: string) => {
      const body = { email: `many-${at}@example.com`, ...fields(times[at] ?? '') }
      return site.fetch(route, body, { 'x-forwarded-for': address })
    }
    const first = await Promise.all(Array.from({ length: 30 }, (_, at) => send(at, '198.51.100.7')))
    expect(first.filter(({ status }) => status !== 201)).toEqual([])
    const refused = await send(30, '198.51.100.7')
    expect([refused.status, (await refused.json()).code]).toEqual([429, 'too_many_messages'])
    expect((await send(30, '198.51.100.8')).status).toBe(201)
  },
)

const dayIn = (count: number) => new Date(Date.now() + count * 24 * 60 * 60_000).toISOString().slice(0, 10)

async function freeTimes(): Promise<string[]> {
  const { items } = await site.fetchJson<{ items: { startsAt: string; available: boolean }[] }>(
    `GET /api/demo-slots?from=${dayIn(2)}&to=${dayIn(20)}`,
  )
  return items.flatMap(({ available, startsAt }) => (available ? [startsAt] : []))
}

test('DSH-30 filled honeypot of the waitlist and of a demo looks like success, stores nothing and sends no email', async () => {
  const email = 'robot@example.com'
  const [startsAt = ''] = await freeTimes()
  const website = 'https://spam.example'
  await site.fetchJson('POST /api/waitlist', { email, topics: ['video'], website }, 201)
  await site.fetchJson('POST /api/demo-bookings', { email, name: 'Robot', startsAt, timeZone: 'UTC', website }, 201)
  expect((await stored({})).filter((row) => row['email'] === email)).toEqual([])
  expect(await site.fetchJson<{ items: object[] }>(`GET /dev/mailbox/api/mails?q=${email}`)).toMatchObject({
    items: [],
  })
  const again = await site.fetch('POST /api/demo-bookings', { email, name: 'Jo', startsAt, timeZone: 'UTC' })
  expect(again.status).toBe(201)
})

test('DSH-30 Idempotency-Key replays the response to a message', async () => {
  const headers = { 'idempotency-key': 'visitor-1' }
  const body = { ...message, message: 'With a key' }
  const first = await (await site.fetch('POST /api/contact', body, headers)).json()
  const again = await site.fetch('POST /api/contact', body, headers)
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  expect(await again.json()).toEqual(first)
})
