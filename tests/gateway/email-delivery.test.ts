import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import { Webhook } from 'standardwebhooks'
import { z } from 'zod'
import { newId } from '#lib/ids.ts'
import { emailReports } from '../../src/gateway/email/webhook.ts'
import { startMailServer, type MailServer } from '../support/mail-server.ts'
import { openWorld, type World } from '../support/world.ts'
import { openActions, press } from '../dashboard/raised/acting.ts'
import { addSender, sendQueued } from './email-work.ts'
import { openUpstream, type ScriptedUpstream } from './upstream.ts'

let server: MailServer
let world: World
let sender: { id: string; domainId: string }
let provider: ScriptedUpstream

/** What Resend received, by idempotency key. */
const received = new Map<string, unknown[]>()
let losesResponse = false
let rejects = false

beforeAll(async () => {
  server = await startMailServer()
  provider = openUpstream(async (request) => {
    const key = request.headers.get('idempotency-key') ?? ''
    received.set(key, [...(received.get(key) ?? []), await request.json()])
    if (rejects) return Response.json({ message: 'Invalid' }, { status: 422 })
    if (losesResponse) return Response.json({ message: 'Timed out' }, { status: 504 })
    return Response.json({ id: `re-${key}` })
  })
  world = await openWorld({ env: { SMTP_URL: server.url, MAIL_FROM: 'no-reply@mail.atrium.example' } })
  sender = await addSender(world, 'shop.acme.example')
})
afterAll(async () => {
  await world.close()
  await server.stop()
  provider.stop()
})

interface Detail {
  status: string
  recipients: { address: string; state: string; response: string | null }[]
  events: { type: string; address: string | null; outcome: string | null }[]
  text: string | null
}

async function send(body: object) {
  const message = { from: sender.id, subject: 'Order 7', text: 'Thank you.', ...body }
  const headers = { 'X-Organization-Id': world.ada.things.organizations }
  const response = await world.gatewayClient.fetch('POST /platform/email/messages', message, headers)
  const answer = (await response.json()) as { id: string; status: string; code?: string; errors?: { path: string }[] }
  return { ...answer, code: answer.code ?? String(response.status) }
}

const detail = (id: string) => world.ada.fetchJson<Detail>(`GET /api/mail/${id}`)
const arrivedAt = (address: string) => server.arrived.filter(({ recipients }) => recipients.includes(address))
const statesOf = ({ recipients }: Detail) =>
  Object.fromEntries(recipients.map(({ address, state }) => [address, state]))
const suppressed = async () =>
  (await world.ada.fetchJson<{ items: { id: string; address: string; reason: string }[] }>('GET /api/suppressions'))
    .items

test('GTW-40 email of an organization’s domain is signed with its DKIM key, which another program verifies', async () => {
  await send({ to: ['signed@example.com'], html: '<p>Thank you.</p>' })
  await sendQueued(world)
  const { records } = await world.ada.fetchJson<{ records: { name: string; value: string }[] }>(
    `GET /api/sender-domains/${sender.domainId}`,
  )
  const resolver = async (name: string) => records.filter((each) => each.name === name).map(({ value }) => [value])
  const { results } = await dkimVerify(Buffer.from(arrivedAt('signed@example.com')[0]?.raw ?? ''), { resolver })
  expect(results).toMatchObject([
    { signingDomain: 'shop.acme.example', selector: 'atrium1', status: { result: 'pass' } },
  ])
  const changed = (arrivedAt('signed@example.com')[0]?.raw ?? '').replace('Thank you.', 'Thank me.')
  expect((await dkimVerify(Buffer.from(changed), { resolver })).results[0]?.status.result).not.toBe('pass')
})

test('GTW-41 each recipient has an outcome of its own, and only those that are still open are tried again', async () => {
  const { id } = await send({
    to: ['fine@example.com', 'never@example.com'],
    cc: ['later@example.com'],
    bcc: ['hidden@example.com'],
  })
  await sendQueued(world)
  expect(statesOf(await detail(id))).toEqual({
    'fine@example.com': 'sent',
    'never@example.com': 'bounced',
    'later@example.com': 'deferred',
    'hidden@example.com': 'sent',
  })
  await sendQueued(world)
  const found = await detail(id)
  expect(statesOf(found)).toMatchObject({ 'later@example.com': 'sent', 'never@example.com': 'bounced' })
  expect(found.status).toBe('failed')
  expect(arrivedAt('fine@example.com')).toHaveLength(1)
  const [again] = arrivedAt('later@example.com')
  expect(again?.recipients).toEqual(['later@example.com'])
  expect(again?.raw).not.toContain('hidden@example.com')
  expect(again?.raw).toContain('To: fine@example.com, never@example.com')
  expect(server.tries('never@example.com')).toBe(1)
})

test('GTW-41 address that bounced is suppressed until an admin allows it again', async () => {
  const [entry] = (await suppressed()).filter(({ address }) => address === 'never@example.com')
  expect(entry).toMatchObject({ reason: 'bounce' })
  const { id, status } = await send({ to: ['Never@example.com'] })
  expect(status).toBe('failed')
  await sendQueued(world)
  expect(statesOf(await detail(id))).toEqual({ 'Never@example.com': 'suppressed' })
  expect(server.tries('never@example.com')).toBe(1)
  const usage = await world.database.sql`SELECT 1 FROM gateway.usage_logs WHERE request_id = ${`email/${id}`}`
  expect(usage).toBeEmpty()
  expect((await world.vera.fetch(`DELETE /api/suppressions/${entry?.id}`)).status).toBe(403)
  expect((await world.ada.fetch(`DELETE /api/suppressions/${entry?.id}`)).status).toBe(204)
  await send({ to: ['never@example.com'] })
  await sendQueued(world)
  expect(server.tries('never@example.com')).toBe(2)
})

test('GTW-41 template escapes its values in HTML, and names the variables that are missing', async () => {
  const template = {
    name: 'welcome',
    subject: 'Hello {{name}}',
    text: 'Hello {{name}}',
    html: '<p>Hello {{ name }}</p>',
  }
  await world.ada.fetchJson('POST /api/email-templates', template, 201)
  const body = { to: ['template@example.com'], subject: undefined, text: undefined, template: 'welcome' }
  expect((await send(body)).errors).toMatchObject([{ path: 'variables.name' }])
  await send({ ...body, variables: { name: '<b>Ada</b>' } })
  await sendQueued(world)
  const raw = arrivedAt('template@example.com')[0]?.raw
  expect(raw).toContain('Hello &lt;b&gt;Ada&lt;/b&gt;')
  expect(raw).toContain('Subject: Hello <b>Ada</b>')
})

test('GTW-41 attachments arrive unchanged, and headers can’t be injected', async () => {
  const content = Buffer.from('%PDF-1.7 receipt').toString('base64')
  await send({ to: ['file@example.com'], attachments: [{ name: 'receipt.pdf', type: 'application/pdf', content }] })
  await sendQueued(world)
  const raw = arrivedAt('file@example.com')[0]?.raw
  expect(raw).toContain(content)
  expect(raw).toContain('filename=receipt.pdf')
  const injections = [
    { to: ['a@example.com\r\nBcc: b@example.com'] },
    { to: ['a@example.com'], subject: 'Hi\r\nBcc: b@example.com' },
    { to: ['a@example.com'], attachments: [{ name: 'a\r\nb', type: 'text/plain', content }] },
    { to: ['a@example.com'], attachments: [{ name: 'a', type: 'text/plain', content: '%' }] },
    { to: ['a b@example.com'] },
    { to: Array.from({ length: 51 }, (_, at) => `r${at}@example.com`) },
  ]
  for (const body of injections) expect((await send(body)).code).toBe('validation_failed')
})

test('GTW-41 email is sent again with the same Message-ID when the server that sent it was killed', async () => {
  const { id } = await send({ to: ['killed@example.com'] })
  const attempt = newId()
  await world.database.db.execute(sql`
    INSERT INTO gateway.email_events (id, message_id, type, at, data_at) VALUES (${attempt}, ${id}, 'attempt', now(), now())`)
  await world.database.db.execute(
    sql`UPDATE gateway.email_messages SET lease_owner = ${newId()}, lease_until = now() + interval '1 minute' WHERE id = ${id}`,
  )
  await sendQueued(world)
  expect(arrivedAt('killed@example.com')).toEqual([])
  await world.database.db.execute(sql`UPDATE gateway.email_messages SET lease_until = now() WHERE id = ${id}`)
  await sendQueued(world)
  expect(arrivedAt('killed@example.com')[0]?.raw).toContain(`Message-ID: <${id}@shop.acme.example>`)
  expect((await detail(id)).events.filter(({ type }) => type === 'attempt').map(({ outcome }) => outcome)).toEqual([
    'sent',
    'unknown',
  ])
})

test('GTW-40 sender of which more than 5 % bounce is paused, and its emails wait until it is resumed', async () => {
  const { id } = await addSender(world, 'bulk.acme.example')
  const { organizations } = world.ada.things
  const messageId = (await send({ to: ['bulk@example.com'], from: id })).id
  await sendQueued(world)
  await world.database.db.execute(sql`
    INSERT INTO gateway.email_recipients (id, message_id, organization_id, sender_id, address, field, state)
    SELECT gen_random_uuid(), ${messageId}, ${organizations}, ${id}, n || '@example.com', 'to', CASE WHEN n < 4 THEN 'bounced' ELSE 'sent' END
    FROM generate_series(1, 60) AS n`)
  await send({ to: ['never@bulk.example'], from: id })
  await sendQueued(world)
  const read = () => world.ada.fetchJson(`GET /api/senders/${id}`)
  expect(await read()).toMatchObject({ state: 'paused', stateReason: expect.stringContaining('5%') })
  const waiting = await send({ to: ['waiting@example.com'], from: id })
  expect(waiting.status).toBe('queued')
  await sendQueued(world)
  expect(arrivedAt('waiting@example.com')).toEqual([])
  expect(await read()).toMatchObject({ waiting: 1 })
  const [action] = await openActions(world, `gateway.sender:${id}`)
  expect((await press(world.ada, action, 'Resume the sender')).status).toBe(200)
  expect(await openActions(world, `gateway.sender:${id}`)).toEqual([])
  await sendQueued(world)
  expect(arrivedAt('waiting@example.com')).toHaveLength(1)
})

test('GTW-41 only services send: an owner gets 403, and can’t create an API key that does', async () => {
  const { ada } = world
  const refusal = {
    code: 'permission_missing',
    detail: 'Only services of the platform have the permission “service:invoke”.',
  }
  const body = { to: ['key@example.com'], subject: 'Hello', text: 'Hello' }
  expect(await ada.fetchJson('POST /platform/email/messages', body, 403)).toMatchObject(refusal)
  const key = { name: 'Mailer', service: 'platform-gateway', scopes: ['service.invoke'] }
  expect(await ada.fetchJson('POST /api/api-keys', key, 403)).toMatchObject(refusal)
})

test('GTW-40 service sends neither from another organization’s sender nor from one whose domain isn’t verified', async () => {
  const { ada } = world
  expect((await send({ to: ['a@example.com'], from: world.mallory.things.senders })).errors).toMatchObject([
    { path: 'from' },
  ])
  await ada.fetchJson('POST /api/sender-domains', { domain: 'new.acme.example' }, 201)
  const draft = { address: 'hi@new.acme.example', name: 'New' }
  const { id } = await ada.fetchJson<{ id: string }>('POST /api/senders', draft, 201)
  expect((await send({ to: ['a@example.com'], from: id })).code).toBe('sender_not_ready')
})

const webhookSecret = `whsec_${Buffer.from('a secret of the webhook').toString('base64')}`

test('GTW-41 lost response of Resend is retried with the same idempotency key, and its signed report suppresses', async () => {
  const { ada } = world
  const { id: credentialId } = await ada.fetchJson<{ id: string }>('PUT /api/credentials/resend', {
    label: 'main',
    secret: { apiKey: 're_1234567890', webhookSecret },
    baseUrl: provider.url,
  })
  const { id: from } = await addSender(world, 'resend.acme.example', 'resend')
  losesResponse = true
  const { id } = await send({ from, to: ['api@example.com'], bcc: ['secret@example.com'] })
  await sendQueued(world)
  expect(statesOf(await detail(id))).toMatchObject({ 'api@example.com': 'deferred' })
  losesResponse = false
  await sendQueued(world)
  expect(statesOf(await detail(id))).toEqual({ 'api@example.com': 'sent', 'secret@example.com': 'sent' })
  const [first, second, ...others] = received.get(id) ?? []
  expect(others).toEqual([])
  expect(second).toEqual(first)
  expect(first).toMatchObject({
    to: ['api@example.com'],
    bcc: ['secret@example.com'],
    from: 'Acme Coffee <hello@resend.acme.example>',
  })
  const path = `POST /webhooks/email/resend?credential=${credentialId}`
  const report = {
    type: 'email.bounced',
    created_at: new Date().toISOString(),
    data: {
      email_id: `re-${id}`,
      to: ['api@example.com'],
      bounce: { type: 'Permanent', subType: 'General', message: 'No such user' },
    },
  }
  expect(
    (await signedReport(path, report, `whsec_${Buffer.from('another secret here').toString('base64')}`)).status,
  ).toBe(401)
  expect((await signedReport(path, report)).status).toBe(200)
  expect((await signedReport(path, report)).status).toBe(200)
  await handleReports()
  expect(statesOf(await detail(id))).toEqual({ 'api@example.com': 'bounced', 'secret@example.com': 'sent' })
  expect((await suppressed()).map(({ address }) => address)).toContain('api@example.com')
})

test('GTW-41 email over Resend reaches bcc recipients when the others are suppressed', async () => {
  await world.ada.fetchJson('POST /api/suppressions', { address: 'stopped@example.com' }, 201)
  const { id: from } = await addSender(world, 'resend-bcc.acme.example', 'resend')
  const { id } = await send({ from, to: ['stopped@example.com'], bcc: ['quiet@example.com'] })
  await sendQueued(world)
  expect(statesOf(await detail(id))).toEqual({ 'stopped@example.com': 'suppressed', 'quiet@example.com': 'sent' })
  expect(received.get(id)).toMatchObject([{ to: ['quiet@example.com'] }])
})

test('GTW-41 dead letter that is retried over Resend has another idempotency key, and isn’t sent to suppressed addresses', async () => {
  const { ada } = world
  const { id: from } = await addSender(world, 'resend-dead.acme.example', 'resend')
  rejects = true
  const { id } = await send({ from, to: ['later-ok@example.com'] })
  await sendQueued(world)
  rejects = false
  const { items } = await ada.fetchJson<{ items: { id: string; mailId: string }[] }>('GET /api/dead-letters')
  const letter = items.find(({ mailId }) => mailId === id)?.id
  const address = 'later-ok@example.com'
  const { id: stop } = await ada.fetchJson<{ id: string }>('POST /api/suppressions', { address }, 201)
  expect((await ada.fetch(`POST /api/dead-letters/${letter}/retry`)).status).toBe(409)
  await ada.fetch(`DELETE /api/suppressions/${stop}`)
  const owner = ada.things.organizations
  const failed = () => openActions(world, `gateway.dead-letters:${owner}`)
  for (const other of items) if (other.mailId !== id) await ada.fetch(`DELETE /api/dead-letters/${other.id}`)
  const [action] = await failed()
  expect(action?.title).toBe(`An email to ${address} failed`)
  expect((await press(ada, action, 'Retry')).ok).toBe(true)
  expect(await failed()).toEqual([])
  await sendQueued(world)
  expect(statesOf(await detail(id))).toEqual({ [address]: 'sent' })
  expect([received.get(id)?.length, received.get(`${id}/1`)?.length]).toEqual([1, 1])
})

test('GTW-41 email that Cloudflare accepted isn’t sent again when its response can’t be read', async () => {
  const cloudflare = openUpstream(() => new Response('OK'))
  const credential = { label: 'main', secret: { apiKey: 'cf-1234567890' }, baseUrl: `${cloudflare.url}/accounts/acme` }
  await world.ada.fetchJson('PUT /api/credentials/cloudflare_email', credential)
  const { id: from } = await addSender(world, 'cf-odd.acme.example', 'cloudflare_email')
  const { id } = await send({ from, to: ['once@example.com'] })
  await sendQueued(world)
  await sendQueued(world)
  cloudflare.stop()
  expect(statesOf(await detail(id))).toEqual({ 'once@example.com': 'sent' })
  expect(cloudflare.requests).toHaveLength(1)
})

test('GTW-41 email over Cloudflare has the outcome of each recipient, and is signed by the provider', async () => {
  const { ada } = world
  const answer = {
    delivered: ['ok@example.com'],
    permanent_bounces: ['gone@example.com'],
    queued: ['slow@example.com'],
  }
  const cloudflare = openUpstream(() => Response.json({ success: true, errors: [], messages: [], result: answer }))
  const credential = { label: 'main', secret: { apiKey: 'cf-1234567890' } }
  await ada.fetchJson('PUT /api/credentials/cloudflare_email', { ...credential, baseUrl: cloudflare.url })
  const { id: from } = await addSender(world, 'cf.acme.example', 'cloudflare_email')
  const { id } = await send({ from, to: ['ok@example.com', 'gone@example.com', 'slow@example.com'] })
  await sendQueued(world)
  expect((await detail(id)).recipients[0]?.response).toContain('/accounts/')
  const baseUrl = `${cloudflare.url}/accounts/acme`
  await ada.fetchJson('PUT /api/credentials/cloudflare_email', { ...credential, baseUrl })
  await sendQueued(world)
  cloudflare.stop()
  expect(statesOf(await detail(id))).toEqual({
    'ok@example.com': 'sent',
    'gone@example.com': 'bounced',
    'slow@example.com': 'sent',
  })
  const [request] = cloudflare.requests
  expect(request?.path).toEndWith('/accounts/acme/email/sending/send_raw')
  expect(request?.body).toMatchObject({
    from: 'hello@cf.acme.example',
    recipients: expect.arrayContaining(['ok@example.com']),
  })
  expect(JSON.stringify(request?.body)).not.toContain('DKIM-Signature')
})

const eventIds = new Map<object, string>()

function signedReport(path: string, report: object, secret = webhookSecret): Promise<Response> {
  const id = eventIds.get(report) ?? `msg_${newId()}`
  eventIds.set(report, id)
  const at = new Date()
  const body = JSON.stringify(report)
  return world.stranger.fetch(path, new Blob([body], { type: 'application/json' }), {
    'svix-id': id,
    'svix-timestamp': String(Math.floor(at.getTime() / 1000)),
    'svix-signature': new Webhook(secret).sign(id, at, body),
  })
}

const Stored = z.object({
  event_id: z.string(),
  type: z.string(),
  body: z.instanceof(Uint8Array),
  received_at: z.date(),
})

async function handleReports() {
  const rows = await world.database.sql`
    SELECT event_id, type, body, received_at FROM platform.received_webhooks WHERE webhook = 'gateway.email-reports'`
  expect(rows).toHaveLength(1)
  for (const row of rows) {
    const { event_id: eventId, type, body: raw, received_at: receivedAt } = Stored.parse(row)
    const event = { eventId, type, raw, receivedAt, params: { provider: 'resend' } }
    await emailReports.handle(event, { ...world.provided, database: world.database, now: () => new Date() })
  }
}
