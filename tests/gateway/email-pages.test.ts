import { afterAll, beforeAll, expect, test } from 'bun:test'
import { newId } from '#lib/ids.ts'
import { startMailServer, type MailServer } from '../support/mail-server.ts'
import { openWorld, type World } from '../support/world.ts'
import { addSender, sendQueued } from './email-work.ts'

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

const pageOf = async (who: Pick<World['ada'], 'fetch'>, path: string) => {
  const response = await who.fetch(`GET ${path}`, undefined, { accept: 'text/html' })
  expect([path, response.status]).toEqual([path, 200])
  return response.text()
}

test('GTW-40 page of senders shows the DNS records to add, and which of them need attention', async () => {
  const { ada, vera } = world
  const domain = 'news.acme.example'
  const { records } = await ada.fetchJson<{ records: { name: string; value: string | null; required: boolean }[] }>(
    'POST /api/sender-domains',
    { domain },
    201,
  )
  const html = await pageOf(ada, '/gateway/senders')
  const required = records.filter((record) => record.required).length
  expect(required).toBeGreaterThan(2)
  expect(html).toContain(`${required} of ${records.length} records need attention`)
  for (const { name, value } of records) for (const text of [name, value ?? '']) expect(html).toContain(text)
  expect(html).toContain('Copy the value of SPF')
  expect(html).toContain('Provided by the platform')
  const seen = await pageOf(vera, '/gateway/senders')
  expect(seen).toContain(domain)
  for (const action of ['Add domain', 'New sender', 'Check now', 'Delete']) expect(seen).not.toContain(action)
  expect(await pageOf(world.mallory, '/gateway/senders')).not.toContain(domain)
})

test('GTW-40 a change of a sender answers with the senders and domains as they are now', async () => {
  const { id } = await addSender(world, 'mail.roastery.example')
  const fromPage = { 'hx-request': 'true', accept: 'text/html' }
  const change = await world.ada.fetch(`PATCH /api/senders/${id}`, { usedFor: 'Receipts' }, fromPage)
  const html = await change.text()
  expect([change.status, html.startsWith('<div id="senders"')]).toEqual([200, true])
  expect(html).toContain('Receipts')
  expect(html).toContain('mail.roastery.example')
})

test('GTW-40 a test can be sent from senders of the organization, not from the platform’s', async () => {
  const { items } = await world.ada.fetchJson<{ items: { address: string; kind: string }[] }>('GET /api/senders')
  expect(items.map(({ kind }) => kind)).toContain('platform')
  const html = await pageOf(world.ada, '/gateway/senders')
  const dialogs = html.match(/<dialog[^>]*id="test-sender-[^"]*"/g) ?? []
  expect(dialogs).toHaveLength(items.filter(({ kind }) => kind !== 'platform').length)
})

test('GTW-41 email log lists each recipient, and an email shows what the mail server said', async () => {
  const { ada, vera } = world
  const organization = { 'X-Organization-Id': ada.things.organizations, 'X-Application-Id': 'shop' }
  const body = { to: ['never@example.com', 'grace@example.com'], subject: 'Your <receipt>', text: 'Total: $4' }
  const sent = await world.gatewayClient.fetch('POST /platform/email/messages', body, organization)
  const { id } = (await sent.json()) as { id: string }
  await sendQueued(world)
  const log = await pageOf(ada, '/gateway/mail')
  expect(log).toContain('Your &lt;receipt&gt;')
  for (const text of ['never@example.com', 'grace@example.com', `/gateway/mail/${id}`]) expect(log).toContain(text)
  const bounced = await pageOf(ada, '/gateway/mail?status=bounced')
  expect(bounced).toContain('never@example.com')
  expect(bounced).not.toContain('grace@example.com')
  const opened = await pageOf(ada, `/gateway/mail/${id}?status=bounced`)
  for (const text of ['Bounced: never@example.com', '550', 'Total: $4', 'TLS']) expect(opened).toContain(text)
  expect(await pageOf(vera, `/gateway/mail/${id}`)).not.toContain('Total: $4')
  const missing = await world.mallory.fetch(`GET /gateway/mail/${id}`, undefined, { accept: 'text/html' })
  expect(missing.status).toBe(404)
  expect(await pageOf(ada, '/gateway/mail?q=no-such-address')).toContain('No results')
})

test('GTW-41 page of suppressed addresses lists what bounced, and allows sending again', async () => {
  const { ada, vera } = world
  await ada.fetchJson('POST /api/suppressions', { address: 'typo@example.com', detail: 'Misspelled' }, 201)
  const html = await pageOf(ada, '/gateway/mail/suppressed')
  for (const text of ['typo@example.com', 'Added by hand. Misspelled', 'Allow sending']) expect(html).toContain(text)
  expect(await pageOf(vera, '/gateway/mail/suppressed')).not.toContain('Allow sending')
  const { items } = await ada.fetchJson<{ items: { id: string; address: string }[] }>('GET /api/suppressions?q=typo')
  expect((await ada.fetch(`DELETE /api/suppressions/${items[0]?.id}`)).status).toBe(204)
  expect(await pageOf(ada, '/gateway/mail/suppressed?q=typo')).toContain('No results')
})

test('GTW-45 search finds sender domains, emails by subject and recipient, and suppressed addresses', async () => {
  const { ada } = world
  await ada.fetchJson('POST /api/sender-domains', { domain: 'findable.acme.example' }, 201)
  await ada.fetchJson('POST /api/suppressions', { address: 'findable@example.org' }, 201)
  const organization = { 'X-Organization-Id': ada.things.organizations, 'X-Application-Id': 'shop' }
  const body = { to: ['reader@example.net'], subject: 'Findable invoice', text: 'Hello' }
  await world.gatewayClient.fetch('POST /platform/email/messages', body, organization)
  const find = async (q: string, who: Pick<World['ada'], 'fetchJson'> = ada) => {
    const { items } = await who.fetchJson<{ items: { kind: string; label: string }[] }>(`GET /api/search?q=${q}`)
    return items.flatMap(({ kind, label }) => (kind === 'post' ? [] : [`${kind} ${label}`]))
  }
  const all = ['domain findable.acme.example', 'email Findable invoice', 'suppression findable@example.org']
  expect(await find('findable')).toEqual(all)
  expect(await find('reader@example.net')).toEqual(['email Findable invoice'])
  expect(await find('findable', world.mallory)).toEqual([])
})

test('GTW-45 dead letters are retried and discarded by admins of their own organization', async () => {
  const { ada, vera, mallory, database } = world
  const organization = { 'X-Organization-Id': ada.things.organizations, 'X-Application-Id': 'shop' }
  const body = { to: ['patient@example.com'], subject: 'Late invoice', text: 'Hello' }
  const sent = await world.gatewayClient.fetch('POST /platform/email/messages', body, organization)
  const { id } = (await sent.json()) as { id: string }
  await database.sql`
    UPDATE gateway.email_recipients SET state = 'failed', response = 'No response in 16 hours.', settled_at = now()
    WHERE message_id = ${id}`
  await database.sql`UPDATE gateway.email_messages SET state = 'settled', settled_at = now() WHERE id = ${id}`
  const html = await pageOf(ada, '/gateway/dead-letters')
  for (const text of ['Late invoice', 'No response in 16 hours.', 'Discard']) expect(html).toContain(text)
  expect(await pageOf(vera, '/gateway/dead-letters')).not.toContain('Discard')
  expect(await pageOf(mallory, '/gateway/dead-letters')).not.toContain('Late invoice')
  const read = () => ada.fetchJson<{ items: { id: string; mailId: string }[]; count: number }>('GET /api/dead-letters')
  const before = await read()
  const letter = before.items.find(({ mailId }) => mailId === id)?.id
  expect((await mallory.fetch(`POST /api/dead-letters/${letter}/retry`)).status).toBe(404)
  expect((await vera.fetch(`DELETE /api/dead-letters/${letter}`)).status).toBe(403)
  expect((await ada.fetch(`POST /api/dead-letters/${letter}/retry`)).status).toBe(204)
  expect((await ada.fetch(`POST /api/dead-letters/${letter}/retry`)).status).toBe(404)
  await sendQueued(world)
  expect(server.arrived.filter(({ recipients }) => recipients.includes('patient@example.com'))).toHaveLength(1)
  expect(await ada.fetchJson(`GET /api/mail/${id}`)).toMatchObject({ status: 'sent' })
  const other = ada.things.deadLetters
  expect((await ada.fetch(`DELETE /api/dead-letters/${other}`)).status).toBe(204)
  expect((await read()).count).toBe(before.count - 2)
})

test('GTW-41 suppressed addresses stay as they are searched when one of them is allowed', async () => {
  const { ada, database } = world
  const { organizations } = ada.things
  await database.sql`
    INSERT INTO gateway.email_suppressions (id, organization_id, address, reason)
    SELECT gen_random_uuid(), ${organizations}, n || '@searched.example', 'manual' FROM generate_series(1, 60) AS n`
  await ada.fetchJson('POST /api/suppressions', { address: 'other@example.org' }, 201)
  const { items } = await ada.fetchJson<{ items: { id: string }[] }>('GET /api/suppressions?q=searched')
  const response = await ada.fetch(`DELETE /api/suppressions/${items[0]?.id}`, undefined, {
    accept: 'text/html',
    'hx-request': 'true',
    'hx-current-url': 'http://localhost/gateway/mail/suppressed?q=searched',
  })
  const html = await response.text()
  expect(html).toContain('@searched.example')
  expect(html).not.toContain('other@example.org')
  expect(html).toContain('/gateway/mail/suppressed?q=searched&amp;cursor=')
})

test('GTW-41 counts of the email log end at 1,001, and the page says that there are more', async () => {
  const { ada, database } = world
  const { organizations } = ada.things
  const message = newId()
  await database.sql`
    INSERT INTO gateway.email_messages (id, organization_id, system, sender_id, from_address, from_name, subject,
      attachments, fingerprint, state, provider, cost_nano_usd, settled_at)
    VALUES (${message}, ${organizations}, false, ${newId()}, 'a@acme.example', '', 'Many', '[]', '', 'settled', 'smtp', 0, now())`
  await database.sql`
    INSERT INTO gateway.email_recipients (id, message_id, organization_id, sender_id, address, field, state)
    SELECT gen_random_uuid(), ${message}, ${organizations}, ${newId()}, n || '@many.example', 'to',
      CASE WHEN n % 3 = 0 THEN 'bounced' WHEN n % 3 = 1 THEN 'sent' ELSE 'delivered' END
    FROM generate_series(1, 3000) AS n`
  const counts = async (query: string) =>
    (await ada.fetchJson<{ counts: Record<string, number> }>(`GET /api/mail${query}`)).counts
  expect(await counts('')).toMatchObject({ all: 1_001, delivered: 1_001 })
  expect(await counts('?q=many.example')).toEqual({
    all: 1_001,
    delivered: 1_001,
    queued: 0,
    bounced: 1_000,
    suppressed: 0,
  })
  expect(await counts('?q=7@many.example')).toMatchObject({ all: 300 })
  expect(await pageOf(ada, '/gateway/mail')).toContain('1,000+')
})
