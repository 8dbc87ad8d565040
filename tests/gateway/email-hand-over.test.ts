import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createLog } from '#lib/log.ts'
import { createMail, sendMail, type Mail } from '#lib/mail.ts'
import type { MailTransport } from '#lib/mail/transport.ts'
import { maintainEmails } from '../../src/gateway/email/jobs.ts'
import { platformOrganization } from '../../src/gateway/email/accept.ts'
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

const letter = { subject: 'Sign in', text: 'Open https://atrium.example/s3cret', html: '<p>Open</p>' }
const now = () => new Date()

/** An outbox whose calls to the gateway are changed. */
function outbox(change: Partial<MailTransport>): Mail {
  const { config, secrets, queue, gateway } = world.provided
  const transport = { ...gateway.mail, ...change }
  return createMail({ config, secrets, queue, log: createLog('silent'), transport })
}

const post = (mail: Mail, to: string) => world.database.transaction((tx) => mail.send(tx, to, letter, now()))

const runJob = (mail: Mail, id: string) =>
  sendMail.run({ ...world.provided, mail, database: world.database, now, input: { id } })

const arrivedAt = (address: string) => server.arrived.filter(({ recipients }) => recipients.includes(address))
const stateOf = async (id: string) => (await world.provided.mail.deliveries(world.database.db, [id])).get(id)

async function stored(id: string) {
  const { sql } = world.database
  const [row] = await sql<{ state: string; route: string; message: string | null; content: string | null }[]>`
    SELECT mails.state, mails.route, messages.state AS message, messages.sealed_content AS content
    FROM platform.mails LEFT JOIN gateway.email_messages messages USING (id) WHERE mails.id = ${id}`
  return row
}

test('GTW-41 email of sign-in goes through the gateway once, is metered, and its content is deleted', async () => {
  const { mail } = world.provided
  const id = await post(mail, 'grace@example.com')
  await runJob(mail, id)
  expect(await stored(id)).toMatchObject({ state: 'handed', route: 'gateway', message: 'queued' })
  await runJob(mail, id)
  await sendQueued(world)
  await runJob(mail, id)
  expect(await stored(id)).toEqual({ state: 'sent', route: 'gateway', message: 'settled', content: null })
  const [arrived, ...others] = arrivedAt('grace@example.com')
  expect(others).toEqual([])
  expect(arrived?.raw).toContain(`Message-ID: <${id}@mail.atrium.example>`)
  expect(arrived?.raw).toContain('Auto-Submitted: auto-generated')
  const usage = await world.database.sql`
    SELECT family, provider, organization_id, paid_by FROM gateway.usage_logs WHERE request_id = ${`email/${id}`}`
  expect([...usage]).toMatchObject([{ family: 'email', provider: 'platform', organization_id: platformOrganization }])
})

test('GTW-41 email that the gateway has taken is handed over, and sent only once the gateway has sent it', async () => {
  const { gateway } = world.provided
  const open = outbox({ outcome: async () => ({ state: 'open' }) })
  const id = await post(open, 'handed@example.com')
  await runJob(open, id)
  expect(await stateOf(id)).toEqual({ state: 'handed', problem: null })
  await world.database.sql`UPDATE platform.mails SET created_at = now() - interval '2 days' WHERE id = ${id}`
  await runJob(open, id)
  expect(await stateOf(id)).toEqual({ state: 'handed', problem: null })
  await sendQueued(world)
  await runJob(outbox({ outcome: gateway.mail.outcome }), id)
  expect(await stateOf(id)).toEqual({ state: 'sent', problem: null })
})

test('GTW-41 permanently rejected email of an outbox shows the reason there', async () => {
  const { mail } = world.provided
  const id = await post(mail, 'never@example.com')
  await runJob(mail, id)
  await sendQueued(world)
  await runJob(mail, id)
  expect(await stateOf(id)).toEqual({ state: 'refused', problem: expect.stringContaining('550 No such mailbox') })
})

test('GTW-41 email is sent directly when the gateway is away, with the same Message-ID', async () => {
  const mail = outbox({ hold: () => Promise.reject(new Error('away')) })
  const id = await post(mail, 'away@example.com')
  await runJob(mail, id)
  expect(await stored(id)).toMatchObject({ state: 'sent', route: 'direct', message: null })
  expect(arrivedAt('away@example.com').map(({ raw }) => raw.includes(`<${id}@mail.atrium.example>`))).toEqual([true])
})

test('GTW-41 email whose response was lost is sent directly, and dropped by the gateway after 24 hours', async () => {
  const { gateway } = world.provided
  const mail = outbox({
    hold: async (held) => {
      await gateway.mail.hold(held)
      throw new Error('The response was lost')
    },
  })
  const id = await post(mail, 'lost@example.com')
  await runJob(mail, id)
  expect(await stored(id)).toMatchObject({ state: 'sent', route: 'direct', message: 'held' })
  const tomorrow = () => new Date(Date.now() + 25 * 60 * 60_000)
  await maintainEmails.run({ ...world.provided, database: world.database, now: tomorrow, input: {} })
  await sendQueued(world)
  expect(await stored(id)).toMatchObject({ message: 'dropped', content: null })
  expect(arrivedAt('lost@example.com')).toHaveLength(1)
  expect(await gateway.mail.confirm(id)).toBe('lost')
})

test('GTW-41 email is sent once by an outbox that stops after each step of the hand-over', async () => {
  const { mail, gateway } = world.provided
  const id = await post(mail, 'steps@example.com')
  await gateway.mail.hold({ id, recipient: 'steps@example.com', ...letter, html: '<p>Open</p>' })
  const unconfirmed = outbox({ confirm: () => Promise.reject(new Error('stopped')) })
  await runJob(unconfirmed, id)
  expect(await stored(id)).toMatchObject({ state: 'waiting', route: 'gateway', message: 'held' })
  await sendQueued(world)
  expect(arrivedAt('steps@example.com')).toEqual([])
  await Promise.all([runJob(mail, id), runJob(mail, id)])
  await sendQueued(world)
  expect(arrivedAt('steps@example.com')).toHaveLength(1)
})

test('GTW-41 email that the gateway has dropped is sent directly', async () => {
  const mail = outbox({ hold: async () => {} })
  const id = await post(mail, 'dropped@example.com')
  await runJob(mail, id)
  expect(await stored(id)).toMatchObject({ state: 'sent', route: 'direct' })
  expect(arrivedAt('dropped@example.com')).toHaveLength(1)
})

test('GTW-41 only services send emails of the platform, and budgets don’t stop them', async () => {
  const { ada, gatewayClient } = world
  const { items } = await ada.fetchJson<{ items: { id: string; kind: string }[] }>('GET /api/senders')
  const from = items.find(({ kind }) => kind === 'platform')?.id
  const body = { from, to: ['grace@example.com'], subject: 'Hello', text: 'Hello', system: true }
  expect((await ada.fetch('POST /platform/email/messages', body)).status).toBe(403)
  const owned = { 'X-Organization-Id': ada.things.organizations }
  await ada.fetchJson(
    'POST /api/limits',
    { scope_type: 'organization', family: 'email', period: 'day', limitNanoUsd: 0, mode: 'hard' },
    201,
  )
  expect((await gatewayClient.fetch('POST /platform/email/messages', body, owned)).status).toBe(202)
  const refused = await gatewayClient.fetch('POST /platform/email/messages', { ...body, system: false }, owned)
  expect(await refused.json()).toMatchObject({ status: 402, code: 'budget_exceeded' })
})
