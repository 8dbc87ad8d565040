import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { Webhook } from 'standardwebhooks'
import { newId } from '#lib/ids.ts'
import { emailReports } from '../../src/gateway/email/webhook.ts'
import { openWorld, type World } from '../support/world.ts'
import { addSender, sendQueued } from './email-work.ts'
import { openUpstream, type ScriptedUpstream } from './upstream.ts'

// Resend, of which the tests script the responses and reports.

let world: World
let provider: ScriptedUpstream
let from: string
let credentialId: string

const webhookSecret = `whsec_${Buffer.from('a secret of the webhook').toString('base64')}`
const accept = ({ headers }: Request) => Response.json({ id: `re-${headers.get('idempotency-key')}` })

beforeAll(async () => {
  provider = openUpstream(accept)
  world = await openWorld()
  const { id } = await world.ada.fetchJson<{ id: string }>('PUT /api/credentials/resend', {
    label: 'main',
    secret: { apiKey: 're_first_1234', webhookSecret },
    baseUrl: provider.url,
  })
  credentialId = id
  from = (await addSender(world, 'resend.acme.example', 'resend')).id
})
afterAll(async () => {
  await world.close()
  provider.stop()
})
beforeEach(() => {
  provider.requests.length = 0
  provider.answer(accept)
})

interface Detail {
  status: string
  recipients: { address: string; state: string; response: string | null }[]
  events: { type: string; address: string | null; response: string | null }[]
}

async function send(body: object): Promise<string> {
  const message = { from, subject: 'Order 7', text: 'Thank you.', ...body }
  const headers = { 'X-Organization-Id': world.ada.things.organizations }
  const response = await world.gatewayClient.fetch('POST /platform/email/messages', message, headers)
  expect(response.status).toBe(202)
  return ((await response.json()) as { id: string }).id
}

const detail = (id: string) => world.ada.fetchJson<Detail>(`GET /api/mail/${id}`)
const statesOf = async (id: string) =>
  Object.fromEntries((await detail(id)).recipients.map(({ address, state }) => [address, state]))
const suppressed = async () =>
  (await world.ada.fetchJson<{ items: { address: string }[] }>('GET /api/suppressions')).items.map(
    ({ address }) => address,
  )
const keys = () => provider.requests.map(({ headers }) => headers.get('authorization')?.replace('Bearer ', ''))

const bounceOf = (id: string, to: readonly string[], more: object = {}) => ({
  type: 'email.bounced',
  created_at: new Date().toISOString(),
  data: {
    email_id: `re-${id}`,
    to,
    bounce: { type: 'Permanent', subType: 'General', message: 'The mailbox doesn’t exist.', ...more },
  },
})

/** Sends a signed report. Returns what handles it as its job does. */
async function report(body: object): Promise<(receivedAt?: Date) => Promise<unknown>> {
  const id = `msg_${newId()}`
  const at = new Date()
  const text = JSON.stringify(body)
  const path = `POST /webhooks/email/resend?credential=${credentialId}`
  const sent = await world.stranger.fetch(path, new Blob([text], { type: 'application/json' }), {
    'svix-id': id,
    'svix-timestamp': String(Math.floor(at.getTime() / 1000)),
    'svix-signature': new Webhook(webhookSecret).sign(id, at, text),
  })
  expect(sent.status).toBe(200)
  const eventId = `${world.ada.things.organizations} ${id}`
  const raw = new TextEncoder().encode(text)
  return (receivedAt = at) =>
    emailReports.handle(
      { eventId, type: 'email.bounced', raw, receivedAt, params: { provider: 'resend' } },
      { ...world.provided, database: world.database, now: () => new Date() },
    )
}

test('GTW-41 GTW-03 while a key is rotated, an email that Resend rejects with the new one is sent with the old one', async () => {
  const { ada } = world
  const next = 're_next_12345'
  await ada.fetchJson('POST /api/credentials/resend/rotate', { secret: { apiKey: next, webhookSecret } })
  provider.answer((request) =>
    request.headers.get('authorization')?.endsWith(next)
      ? Response.json({ statusCode: 403, name: 'invalid_api_key', message: 'API key is invalid' }, { status: 403 })
      : accept(request),
  )
  const id = await send({ to: ['rotated@example.com'] })
  await sendQueued(world)
  expect(keys()).toEqual([next, 're_first_1234'])
  expect(await statesOf(id)).toEqual({ 'rotated@example.com': 'sent' })
  await ada.fetch('DELETE /api/credentials/resend/rotation')
})

test('GTW-41 report that arrives before the outcome of its email is stored is applied once it is', async () => {
  const [arrived, respond] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  provider.answer(async (request) => {
    arrived.resolve()
    await respond.promise
    return accept(request)
  })
  const id = await send({ to: ['early@example.com'] })
  const sending = sendQueued(world)
  await arrived.promise
  const handle = await report(bounceOf(id, ['early@example.com']))
  const early = await handle().catch((error: unknown) => error)
  expect(early).toBeInstanceOf(Error)
  // One about an email of another program isn’t waited for forever.
  await handle(new Date(Date.now() - 60 * 60_000))
  respond.resolve()
  await sending
  expect(await statesOf(id)).toEqual({ 'early@example.com': 'sent' })
  await handle()
  expect(await statesOf(id)).toEqual({ 'early@example.com': 'bounced' })
  await (
    await report(bounceOf(newId(), ['stranger@example.com']))
  )()
})

test('GTW-41 bounce of an email to several suppresses the address that it names, in any case', async () => {
  const to = ['Ann@example.com', 'joann@example.com', 'fine@example.com']
  const id = await send({ to })
  await sendQueued(world)
  const diagnosticCode = ['smtp; 550 5.1.1 <ann@EXAMPLE.com>: Recipient address rejected']
  await (
    await report(bounceOf(id, to, { diagnosticCode }))
  )()
  expect(await statesOf(id)).toEqual({
    'Ann@example.com': 'bounced',
    'joann@example.com': 'sent',
    'fine@example.com': 'sent',
  })
  expect(await suppressed()).toContain('ann@example.com')
  expect(await suppressed()).not.toContain('joann@example.com')
})

test('GTW-41 bounce of an email to several that names none of them suppresses none, and is in its activity', async () => {
  const to = ['one@several.example', 'two@several.example']
  const id = await send({ to })
  await sendQueued(world)
  const handle = await report(bounceOf(id, to))
  await handle()
  await handle()
  expect(await statesOf(id)).toEqual({ 'one@several.example': 'sent', 'two@several.example': 'sent' })
  const bounces = (await detail(id)).events.filter(({ type }) => type === 'bounced')
  expect(bounces).toMatchObject([{ address: null, response: 'General: The mailbox doesn’t exist.' }])
  expect((await suppressed()).filter((address) => address.endsWith('several.example'))).toEqual([])
})

test('GTW-41 bounce of an email to one address is found in any case', async () => {
  const id = await send({ to: ['Grace.Hopper@example.com'] })
  await sendQueued(world)
  await (
    await report(bounceOf(id, ['grace.hopper@example.com']))
  )()
  expect(await statesOf(id)).toEqual({ 'Grace.Hopper@example.com': 'bounced' })
})

test('GTW-41 address that is suppressed while an email waits doesn’t get it, and the others do', async () => {
  const both = await send({ to: ['stopped@wait.example', 'kept@wait.example'] })
  const alone = await send({ to: ['Stopped@wait.example'] })
  await world.ada.fetchJson('POST /api/suppressions', { address: 'stopped@wait.example' }, 201)
  await sendQueued(world)
  expect(await statesOf(both)).toEqual({ 'stopped@wait.example': 'suppressed', 'kept@wait.example': 'sent' })
  expect(provider.requests.map(({ body }) => body)).toMatchObject([{ to: ['kept@wait.example'] }])
  expect(await statesOf(alone)).toEqual({ 'Stopped@wait.example': 'suppressed' })
  const { status, events } = await detail(alone)
  expect(status).toBe('failed')
  expect(events.map(({ type }) => type)).toEqual(['suppressed', 'accepted'])
  await sendQueued(world)
  expect(provider.requests).toHaveLength(1)
})

test('GTW-41 address that is suppressed after a lost response is left out under another idempotency key', async () => {
  provider.answer(() => new Response(null, { status: 504 }))
  const id = await send({ to: ['left-out@example.com', 'again@example.com'] })
  await sendQueued(world)
  await world.ada.fetchJson('POST /api/suppressions', { address: 'left-out@example.com' }, 201)
  provider.answer(accept)
  await sendQueued(world)
  expect(await statesOf(id)).toEqual({ 'left-out@example.com': 'suppressed', 'again@example.com': 'sent' })
  expect(provider.requests.map(({ headers }) => headers.get('idempotency-key'))).toEqual([id, `${id}/1`])
})
