import { afterAll, beforeAll, expect, test } from 'bun:test'
import { newId } from '#lib/ids.ts'
import { startMailServer, type MailServer } from '../support/mail-server.ts'
import { openWorld, type World } from '../support/world.ts'
import { sendQueued } from './email-work.ts'

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

interface Detail {
  id: string
  status: string
  recipients: { address: string; state: string; response: string | null }[]
  events: { type: string; outcome: string | null; response: string | null; encryption: string | null }[]
}

const headersOf = () => ({ 'X-Organization-Id': world.ada.things.organizations, 'X-Application-Id': 'shop' })

async function send(body: object) {
  const response = await world.gatewayClient.fetch('POST /platform/email/messages', body, headersOf())
  return { status: response.status, body: (await response.json()) as { id: string; status: string; code?: string } }
}

const detail = (id: string) => world.ada.fetchJson<Detail>(`GET /api/mail/${id}`)
const arrivedAt = (address: string) => server.arrived.filter(({ recipients }) => recipients.includes(address))

test('GTW-41 email of a service is sent from the platform’s sender, once, and is in the log', async () => {
  const { items } = await world.ada.fetchJson<{ items: { id: string; kind: string }[] }>('GET /api/senders')
  const from = items.find(({ kind }) => kind === 'platform')?.id
  const sent = await send({
    from,
    to: ['grace@example.com'],
    subject: 'Überraschung',
    text: 'Hello',
    html: '<p>Hello</p>',
  })
  expect(sent).toEqual({ status: 202, body: { id: expect.any(String), status: 'queued' } })
  await sendQueued(world)
  await sendQueued(world)
  const [arrived, ...others] = arrivedAt('grace@example.com')
  expect(others).toEqual([])
  expect(arrived?.raw).toContain('From: Atrium <no-reply@mail.atrium.example>')
  expect(arrived?.raw).toContain(`Message-ID: <${sent.body.id}@mail.atrium.example>`)
  const found = await detail(sent.body.id)
  expect(found.status).toBe('sent')
  expect(found.recipients).toMatchObject([{ address: 'grace@example.com', state: 'sent' }])
  expect(found.events.map(({ type }) => type)).toEqual(['sent', 'attempt', 'accepted'])
  expect(found.events[1]).toMatchObject({ outcome: 'sent', encryption: expect.stringContaining('TLS') })
  const log = await world.ada.fetchJson<{ items: { id: string }[]; counts: object }>('GET /api/mail?q=grace')
  expect(log).toMatchObject({ items: [{ id: sent.body.id, applicationId: 'shop' }], counts: { all: 1, delivered: 1 } })
  expect(await world.mallory.fetchJson('GET /api/mail?q=grace')).toMatchObject({ items: [] })
  expect((await world.mallory.fetch(`GET /api/mail/${sent.body.id}`)).status).toBe(404)
})

test('GTW-41 same id with the same content is sent once, and with other content refused', async () => {
  const id = newId()
  const body = { id, to: ['twice@example.com'], subject: 'Once', text: 'Hello' }
  const both = await Promise.all([send(body), send(body)])
  expect(both.map(({ status }) => status)).toEqual([202, 202])
  expect((await send({ ...body, text: 'Other' })).body.code).toBe('email_exists')
  await sendQueued(world)
  await send(body)
  await sendQueued(world)
  expect(arrivedAt('twice@example.com')).toHaveLength(1)
  const usage = await world.database.sql`SELECT quantity FROM gateway.usage_logs WHERE request_id = ${`email/${id}`}`
  expect(usage.map(({ quantity }) => quantity)).toEqual(['1'])
})
