import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { eventually } from '../../boot/program.ts'
import { openWorld } from '../../support/world.ts'
import { newPushBrowser } from '../../support/world/resources.ts'
import { openChatService } from './chat-service.ts'
import { openOffice, type Office } from './office.ts'

interface Chat {
  webhook: { format: string; hint: string; enabled: boolean; problem: string | null } | null
  kinds: { kind: string; enabled: boolean }[]
}

let office: Office
const service = openChatService()
beforeAll(async () => {
  office = await openOffice()
})
afterEach(() => office.clear())
afterAll(async () => {
  await service.close()
  await office.close()
})

const connect = (url: string) => office.world.ada.fetchJson('PUT /api/chat-webhook', { url })

const failed = { kind: 'social.post_failed', service: 'platform-socialize', permission: 'posts:read' }
const chat = () => office.world.ada.fetchJson<Chat>('GET /api/chat-webhook')
const deliver = async () => {
  await office.announce()
  await office.sendDue()
}
const openActions = () =>
  office.world.database.sql`SELECT title, kind FROM platform.raised_actions
    WHERE cause LIKE 'dashboard.chat:%' AND resolved_at IS NULL`

test('DSH-37 what is due is posted to the chat of the organization in one message, without mentions', async () => {
  await connect(service.slackUrl)
  await office.take('Post <!channel> failed & @here', failed)
  await office.take('Second', failed)
  await office.take('For one person', { ...failed, personId: office.world.ada.id })
  await office.take('Not chosen', { kind: 'payments.payout' })
  await deliver()
  await office.sendDue()
  expect(service.refusals).toEqual([])
  const [message, ...others] = service.messages.splice(0)
  expect(others).toEqual([])
  const words = JSON.stringify(message?.body)
  expect(words).toContain('&lt;!channel&gt;')
  expect(words).toContain('Second')
  for (const other of ['For one person', 'Not chosen', '@here']) expect(words).not.toContain(other)
})

test('DSH-37 message for Discord has its form, with ten of the longest notifications', async () => {
  await connect(service.discordUrl)
  for (let at = 0; at < 12; at++)
    await office.take(`${at} ${'x'.repeat(190)}`, { ...failed, reason: 'y_'.repeat(1000) })
  await deliver()
  await office.sendDue()
  expect(service.refusals).toEqual([])
  expect(service.messages.splice(0).map(({ to }) => to)).toEqual(['discord', 'discord'])
})

test('DSH-37 webhook of a chat is never shown again', async () => {
  await connect(service.slackUrl)
  const { ada } = office.world
  const shown = JSON.stringify([await chat(), await ada.fetchJson('GET /api/audit')])
  expect(shown).not.toContain('secret-of-slack')
  expect((await chat()).webhook?.hint).toMatch(/^127\.0\.0\.1:\d+\/…lack$/)
  const rows = await office.world.database.sql`SELECT * FROM dashboard.chat_webhooks`
  expect(JSON.stringify(rows)).not.toContain('secret-of-slack')
})

test('DSH-37 chat that is gone is paused with an action, and posts again after it is connected again', async () => {
  await connect(service.slackUrl)
  await office.take('Lost', failed)
  service.faults.push({ status: 410 })
  await deliver()
  expect((await chat()).webhook).toMatchObject({ enabled: false, problem: expect.stringContaining('410') })
  expect(await openActions()).toHaveLength(1)
  await office.take('While it is paused', failed)
  await deliver()
  expect(service.messages.splice(0)).toEqual([])
  await connect(service.slackUrl)
  expect(await openActions()).toHaveLength(0)
  await office.take('After', failed)
  await deliver()
  expect(service.messages.splice(0)).toHaveLength(1)
})

test('DSH-37 chat that fails again and again is paused, and one that throttles is not', async () => {
  await connect(service.slackUrl)
  let at = Date.parse('2026-07-01T14:00:00Z')
  const later = (seconds: number) => office.setClock(new Date((at += seconds * 1000)).toISOString())
  later(0)
  await office.take('Patience', failed)
  service.faults.push({ status: 429, retryAfter: '120' })
  await deliver()
  later(119)
  await office.sendDue()
  expect(service.faults).toEqual([])
  for (let failures = 0; failures < 7; failures++) {
    service.faults.push({ status: 503 })
    later(1_801)
    await office.sendDue()
  }
  expect((await chat()).webhook).toMatchObject({ enabled: true, problem: expect.stringContaining('503') })
  service.faults.push({ status: 503 })
  later(1_801)
  await office.sendDue()
  expect((await chat()).webhook).toMatchObject({ enabled: false })
  expect(await openActions()).toHaveLength(1)
  expect(service.messages.splice(0)).toEqual([])
})

test('DSH-37 chat needs permission to change the settings, and a valid address', async () => {
  const { ada, vera } = office.world
  const url = 'https://hooks.chat.example/services/1'
  expect((await vera.fetch('PUT /api/chat-webhook', { url })).status).toBe(403)
  expect((await vera.fetch('POST /api/chat-webhook/test', { url })).status).toBe(403)
  for (const wrong of ['ftp://chat.example', 'https://a:b@chat.example', 'x', ''])
    for (const route of ['PUT /api/chat-webhook', 'POST /api/chat-webhook/test'])
      expect((await ada.fetch(route, { url: wrong })).status).toBe(422)
  expect((await ada.fetch('PUT /api/chat-webhook', { enabled: true })).status).toBe(422)
  const changed = await ada.fetchJson<Chat>('PUT /api/chat-webhook', {
    url,
    choices: [{ kind: 'payments.payout', enabled: true }],
  })
  expect(changed.kinds).toContainEqual(expect.objectContaining({ kind: 'payments.payout', enabled: true }))
  await ada.fetchJson('DELETE /api/chat-webhook')
  expect((await chat()).webhook).toBeNull()
})

test('DSH-37 chat that another admin connects at the same moment is a conflict, and theirs stays', async () => {
  const { ada, database } = office.world
  const first = await database.sql.reserve()
  try {
    await first`BEGIN`
    await first`INSERT INTO dashboard.chat_webhooks (id, organization_id, format, sealed_url, hint, updated_at)
      VALUES (gen_random_uuid(), ${office.organizationId}, 'slack', 'sealed', 'first.example/…', now())`
    const second = ada.fetch('PUT /api/chat-webhook', { url: 'https://hooks.chat.example/services/2' })
    const waits = () => database.sql`SELECT 1 FROM pg_stat_activity
      WHERE wait_event_type = 'Lock' AND query ILIKE '%insert into%chat_webhooks%'`
    expect(await eventually(async () => (await waits()).length > 0)).toBe(true)
    await first`COMMIT`
    const refused = await second
    expect([refused.status, await refused.json()]).toMatchObject([409, { code: 'chat_connected' }])
    expect((await chat()).webhook?.hint).toBe('first.example/…')
  } finally {
    first.release()
  }
})

test('DSH-37 endpoints in a private network are refused where ALLOW_PRIVATE_NETWORK is false', async () => {
  const strict = await openWorld({ env: { ALLOW_PRIVATE_NETWORK: 'false' } })
  for (const url of [
    'http://hooks.chat.example/1',
    'https://127.0.0.1/x',
    'https://localhost/x',
    'https://10.0.0.1/x',
  ]) {
    for (const route of ['PUT /api/chat-webhook', 'POST /api/chat-webhook/test'])
      expect((await strict.ada.fetch(route, { url })).status).toBe(422)
    expect((await strict.ada.fetch('POST /api/push-browsers', newPushBrowser(url))).status).toBe(422)
  }
  await strict.close()
})
