import { afterAll, beforeAll, expect, test } from 'bun:test'
import { notificationsLetter } from '#views/emails/notifications.tsx'
import { eventually } from '../../boot/program.ts'
import { sendQueued } from '../../gateway/email-work.ts'
import { startMailServer, type MailServer } from '../../support/mail-server.ts'
import { openWorld, type World } from '../../support/world.ts'
import { sendMail } from '#lib/mail.ts'

let server: MailServer
let world: World

beforeAll(async () => {
  server = await startMailServer()
  world = await openWorld({ env: { SMTP_URL: server.url, MAIL_FROM: 'Atrium <no-reply@mail.atrium.example>' } })
})
afterAll(async () => {
  await world.close()
  await server.stop()
})

const link = `https://atrium.example/unsubscribe?token=${'x'.repeat(64)}`
const letter = notificationsLetter({
  organization: 'Acme',
  items: [{ title: 'Post failed', reason: 'The network refused it.', href: 'https://atrium.example/actions' }],
  all: 'https://atrium.example/actions',
  settings: 'https://atrium.example/settings/notifications',
  unsubscribe: link,
})

/** Long headers are folded (RFC 5322, 2.2.3). */
const headersIn = (raw: string): string => raw.slice(0, raw.indexOf('\r\n\r\n')).replaceAll(/\r\n[ \t]+/g, ' ')

test('DSH-37 email about notifications has the headers of a one-click unsubscribe on the wire', async () => {
  const { mail } = world.provided
  const now = () => new Date()
  const to = 'ada-on-the-wire@example.com'
  const id = await world.database.transaction((tx) => mail.send(tx, to, letter, now()))
  await sendMail.run({ ...world.provided, database: world.database, now, input: { id } })
  await sendQueued(world)
  const arrived = () => server.arrived.find(({ recipients }) => recipients.includes(to))
  expect(await eventually(() => arrived() !== undefined)).toBe(true)
  const headers = headersIn(arrived()?.raw ?? '')
  expect(headers).toMatch(/^List-Unsubscribe: ?<(\S+)>$/m)
  expect(/^List-Unsubscribe: ?<(\S+)>$/m.exec(headers)?.[1]).toBe(link)
  expect(headers).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m)
})
