import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eventually } from '../../boot/program.ts'
import { startMailServer, type MailServer } from '../../support/mail-server.ts'
import { openVisitors, type Visitors } from './visitors.ts'

let site: Visitors
let mailServer: MailServer
beforeAll(async () => {
  mailServer = await startMailServer()
  site = await openVisitors({ SMTP_URL: mailServer.url, MAIL_FROM: 'Atrium <hello@atrium.example>' })
})
afterAll(async () => {
  await site.close()
  await mailServer.stop()
})

interface Booking {
  token: string
  email: string
  startsAt: string
  invitationRefused: boolean
}

interface Slot {
  startsAt: string
  available: boolean
}

async function book(email: string, address = '192.0.2.1'): Promise<string> {
  const { items } = await site.fetchJson<{ items: Slot[] }>('GET /api/demo-slots')
  const startsAt = items.find(({ available }) => available)?.startsAt
  const visitor = { email, name: 'Petra; Voss', startsAt, timeZone: 'Europe/Lisbon' }
  const response = await site.fetch('POST /api/demo-bookings', visitor, { 'x-forwarded-for': address })
  expect(response.status).toBe(201)
  const { token }: Booking = await response.json()
  return token
}

const tokenIn = (path: string | null) => /bookings\/([^?]+)/.exec(path ?? '')?.[1] ?? ''

const read = (token: string) => site.fetchJson<Booking>(`GET /api/demo-bookings/${token}`)
const pageOf = async (token: string) =>
  (await site.fetch(`GET /demo/bookings/${token}`, undefined, { accept: 'text/html' })).text()

/** Of the calendar file that the last email to the address had; null until one has arrived. */
const mailedFile = (email: string): string[] | null => {
  const raw = mailServer.arrived.findLast(({ recipients }) => recipients.includes(email))?.raw ?? ''
  const part = /Content-Type: text\/calendar[\s\S]*?\r\n\r\n([\s\S]*?)--/.exec(raw)?.[1]
  return part === undefined ? null : linesOf(part)
}

/** Without the time at which the file was written. */
const linesOf = (text: string) =>
  text
    .replaceAll('\r\n ', '')
    .split('\r\n')
    .filter((line) => line !== '' && !line.startsWith('DTSTAMP:'))

async function downloadOf(token: string) {
  const response = await site.fetch(`GET /api/demo-bookings/${token}/calendar`)
  return { response, lines: linesOf(await response.text()) }
}

test('DSH-30 calendar file of a booking can be downloaded, and is the one of the email', async () => {
  const email = 'petra@example.com'
  const token = await book(email)
  const { response, lines } = await downloadOf(token)
  expect([response.status, response.headers.get('content-type'), response.headers.get('content-disposition')]).toEqual([
    200,
    'text/calendar; charset=utf-8; method=REQUEST',
    'attachment; filename="atrium-demo.ics"',
  ])
  expect(response.headers.get('referrer-policy')).toBe('no-referrer')
  expect(await eventually(() => mailedFile(email) !== null)).toBe(true)
  expect(lines).toEqual(mailedFile(email) ?? [])
  expect(await pageOf(token)).toContain(`href="/api/demo-bookings/${token}/calendar"`)
  await site.fetchJson(`DELETE /api/demo-bookings/${token}`)
  expect((await downloadOf(token)).lines).toContain('METHOD:CANCEL')
  expect(await pageOf(token)).not.toContain('/calendar"')
  expect((await site.fetch(`GET /api/demo-bookings/${token.slice(0, -3)}xyz/calendar`)).status).toBe(404)
})

test('DSH-30 page says that an invitation was refused, and sends it to the corrected address', async () => {
  const token = await book('never@example.com')
  expect(await eventually(async () => (await read(token)).invitationRefused)).toBe(true)
  expect(await pageOf(token)).toContain('The invitation to never@example.com couldn’t be delivered')
  const refused = await site.submit(`/api/demo-bookings/${token}/email?_method=PUT`, { email: 'corrected' })
  const form = await refused.text()
  expect([refused.status, form.includes('Enter a complete email address')]).toEqual([422, true])
  expect(form).toContain('value="corrected"')
  const email = 'corrected@example.com'
  const sent = await site.submit(`/api/demo-bookings/${token}/email?_method=PUT`, { email })
  const newToken = tokenIn(sent.headers.get('location'))
  expect([sent.status, sent.headers.get('location')]).toEqual([303, `/demo/bookings/${newToken}?sent=true`])
  expect(newToken).not.toBe(token)
  expect(await eventually(() => mailedFile(email) !== null)).toBe(true)
  expect(mailedFile(email)).toEqual((await downloadOf(newToken)).lines)
  expect(mailedFile(email)).toContain('SEQUENCE:1')
  expect(mailServer.arrived.filter(({ recipients }) => recipients.includes('never@example.com'))).toEqual([])
  expect(await site.mailsTo('never@example.com')).toEqual(['Your Atrium demo is booked'])
  expect(await read(newToken)).toMatchObject({ email, invitationRefused: false })
  expect(await pageOf(newToken)).not.toContain('couldn’t be delivered')
  expect(await site.stored({ kind: 'demo' })).toContainEqual(expect.objectContaining({ email }))
})

test('DSH-30 address that was wrong loses its link and its calendar entry when it is corrected', async () => {
  const [wrong, right] = ['wrong@example.com', 'right@example.com']
  const token = await book(wrong, '192.0.2.7')
  expect(await eventually(() => mailedFile(wrong) !== null)).toBe(true)
  const uidOf = (email: string) => mailedFile(email)?.find((line) => line.startsWith('UID:'))
  const uid = uidOf(wrong)
  const corrected = await site.fetchJson<Booking>(`PUT /api/demo-bookings/${token}/email`, { email: right })
  expect(corrected.token).not.toBe(token)
  expect(await eventually(() => mailedFile(wrong)?.includes('METHOD:CANCEL') === true)).toBe(true)
  expect(mailedFile(wrong)).toContain('SEQUENCE:1')
  expect([uidOf(wrong), uid?.includes('@')]).toEqual([uid, true])
  const withdrawn = mailServer.arrived.findLast(({ recipients }) => recipients.includes(wrong))?.raw
  expect(withdrawn).not.toContain('/demo/bookings/')
  expect(await eventually(() => mailedFile(right) !== null)).toBe(true)
  expect(mailedFile(right)?.join('')).toContain(corrected.token)
  const { startsAt } = corrected
  for (const [route, body] of [
    [`GET /api/demo-bookings/${token}`],
    [`GET /api/demo-bookings/${token}/calendar`],
    [`PUT /api/demo-bookings/${token}`, { startsAt }],
    [`PUT /api/demo-bookings/${token}/email`, { email: wrong }],
    [`DELETE /api/demo-bookings/${token}`],
    [`GET /demo/bookings/${token}`],
  ] as const)
    expect((await site.fetch(route, body)).status, route).toBe(404)
  expect(await read(corrected.token)).toMatchObject({ email: right, state: 'booked' })
  // The same address again keeps its link.
  const again = await site.fetchJson<Booking>(`PUT /api/demo-bookings/${corrected.token}/email`, { email: right })
  expect(again.token).toBe(corrected.token)
})

test('DSH-30 invitation is sent again ten times at most, to an address that has less than two demos, and not after canceling', async () => {
  const address = '192.0.2.9'
  const token = await book('again@example.com', address)
  const correct = (email: string) => site.fetch(`PUT /api/demo-bookings/${token}/email`, { email })
  for (const other of [await book('full@example.com', address), await book('full@example.com', address)])
    expect(other).not.toBe(token)
  const full = await correct('Full@example.com')
  expect([full.status, (await full.json()).code]).toEqual([409, 'too_many_bookings'])
  for (let at = 0; at < 10; at++) expect((await correct('again@example.com')).status).toBe(200)
  const refused = await correct('again@example.com')
  expect([refused.status, (await refused.json()).code]).toEqual([409, 'too_many_moves'])
  const other = await book('gone@example.com', address)
  await site.fetchJson(`DELETE /api/demo-bookings/${other}`)
  const canceled = await site.fetch(`PUT /api/demo-bookings/${other}/email`, { email: 'gone2@example.com' })
  expect([canceled.status, (await canceled.json()).code]).toEqual([409, 'booking_canceled'])
})
