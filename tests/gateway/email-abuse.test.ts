import { afterAll, beforeAll, expect, test } from 'bun:test'
import { newId } from '#lib/ids.ts'
import { EmailInput } from '../../src/gateway/email/input.ts'
import { sendSystemEmail } from '../../src/gateway/email/jobs.ts'
import { openWorld, type World } from '../support/world.ts'
import { addSender, sendQueued } from './email-work.ts'
import { openUpstream } from './upstream.ts'

let world: World

beforeAll(async () => {
  world = await openWorld({ env: { MAIL_FROM: 'Atrium <no-reply@mail.atrium.example>' } })
})
afterAll(() => world.close())

const headersOf = () => ({ 'X-Organization-Id': world.ada.things.organizations })

const send = (body: object) => world.gatewayClient.fetch('POST /platform/email/messages', body, headersOf())

/** The processor time in milliseconds. */
function cpuOf(run: () => void): number {
  const before = process.cpuUsage()
  run()
  return process.cpuUsage(before).user / 1000
}

test('GTW-41 attachment that isn’t base64 is refused without reading it again for each of its characters', () => {
  const parse = (characters: number) => () => {
    const attachments = [{ name: 'a.txt', type: 'text/plain', content: `${'='.repeat(characters)}x` }]
    const { success } = EmailInput.safeParse({ to: ['a@example.com'], subject: 'a', text: 'b', attachments })
    expect(success).toBe(false)
  }
  parse(1_000)()
  expect(cpuOf(parse(60_000))).toBeLessThan(500)
})

test('GTW-41 template can’t be filled with more text than an email can have', async () => {
  const template = { name: 'bomb', subject: 'Hello', text: '{{a}}'.repeat(20_000) }
  await world.ada.fetchJson('POST /api/email-templates', template, 201)
  const body = { to: ['grace@example.com'], template: 'bomb' }
  const refused = await send({ ...body, variables: { a: 'x'.repeat(10_000) } })
  expect(refused.status).toBe(422)
  expect(await refused.json()).toMatchObject({ errors: [{ path: 'variables' }] })
  expect((await send({ ...body, variables: { a: 'x' } })).status).toBe(202)
})

test('GTW-41 sign-in email is sent while mail servers of organizations keep every worker of other emails busy', async () => {
  const { database, provided } = world
  const content = { to: ['grace@example.com'], subject: 'Hello', text: 'Hello' }
  const { id: waiting } = (await (await send(content)).json()) as { id: string }
  // Only these workers are free.
  await provided.queue.work([sendSystemEmail], provided, () => new Date())
  const { id } = (await (await send({ ...content, system: true })).json()) as { id: string }
  const stateOf = async (message: string) =>
    (await database.sql`SELECT state FROM gateway.email_messages WHERE id = ${message}`)[0]?.['state'] as string
  while ((await stateOf(id)) === 'queued') await Bun.sleep(20)
  expect([await stateOf(id), await stateOf(waiting)]).toEqual(['settled', 'queued'])
}, 60_000)

test('GTW-41 email that is sent again with its id many times keeps a short activity', async () => {
  const body = { id: newId(), to: ['grace@example.com'], subject: 'Again', text: 'Hello' }
  for (let time = 0; time < 25; time++) expect((await send(body)).status).toBe(202)
  const { events } = await world.ada.fetchJson<{ events: { type: string }[] }>(`GET /api/mail/${body.id}`)
  expect(events.filter(({ type }) => type === 'repeated')).toHaveLength(20)
})

test.each(['+275760-09-13T00:00:00Z', '0000-01-01T00:00:00Z'])('GTW-41 log from %s is refused', async (from) => {
  expect((await world.ada.fetch(`GET /api/mail?from=${encodeURIComponent(from)}`)).status).toBe(422)
})

test('GTW-41 response of a provider is in the log without NUL characters, and without the key that it repeats', async () => {
  const { ada } = world
  const apiKey = 're_1234567890'
  const provider = openUpstream(
    () => Response.json({ id: 'a\0b' }),
    () => new Response(`\0 The key ${apiKey} is unknown`, { status: 422 }),
  )
  await ada.fetchJson('PUT /api/credentials/resend', { label: 'main', secret: { apiKey }, baseUrl: provider.url })
  const { id: from } = await addSender(world, 'odd.acme.example', 'resend')
  const accept = async () => {
    const response = await send({ from, to: ['grace@example.com'], subject: 'Hello', text: 'Hello' })
    return ((await response.json()) as { id: string }).id
  }
  const detailOf = (id: string) =>
    ada.fetchJson<{ status: string; recipients: { response: string }[] }>(`GET /api/mail/${id}`)
  const sent = await accept()
  await sendQueued(world)
  const refused = await accept()
  await sendQueued(world)
  provider.stop()
  expect(await detailOf(sent)).toMatchObject({ status: 'sent', recipients: [{ response: 'Accepted as a\uFFFDb' }] })
  const { status, recipients } = await detailOf(refused)
  expect({ status, response: recipients[0]?.response }).toEqual({
    status: 'failed',
    response: '422 \uFFFD The key … is unknown',
  })
})
