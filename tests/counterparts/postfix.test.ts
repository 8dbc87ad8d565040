import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eventually } from '../boot/program.ts'
import { addSender, sendQueued } from '../gateway/email-work.ts'
import { openWorld, type World } from '../support/world.ts'
import { hasPostfix, startPostfix, type Postfix } from './postfix.ts'

const isInstalled = hasPostfix()
if (!isInstalled) console.log('Skipped: Postfix is not installed, or this isn’t root (apt-get install postfix).')

let postfix: Postfix
let world: World

beforeAll(async () => {
  if (!isInstalled) return
  postfix = await startPostfix()
  world = await openWorld({ env: { SMTP_URL: postfix.url, MAIL_FROM: 'no-reply@mail.atrium.example' } })
})
afterAll(async () => {
  if (!isInstalled) return
  await world.close()
  await postfix.stop()
})

test.skipIf(!isInstalled)(
  'GTW-41 Postfix accepts an email over TLS and delivers it, and a rejected recipient bounces',
  async () => {
    const { id: from } = await addSender(world, 'shop.acme.example')
    const to = ['fine@example.com', 'unknown@example.com', 'relay@elsewhere.example']
    const headers = { 'X-Organization-Id': world.ada.things.organizations }
    const response = await world.gatewayClient.fetch(
      'POST /platform/email/messages',
      {
        from,
        to,
        subject: 'Überraschung',
        text: '.\r\nA line that begins with a dot, and one of 3,000 characters.\r\n',
        html: `<p>${'x'.repeat(3000)}</p>`,
      },
      headers,
    )
    const { id } = (await response.json()) as { id: string }
    await sendQueued(world)
    interface Detail {
      recipients: { address: string; state: string; response: string }[]
      events: { type: string; encryption: string | null }[]
    }
    const { recipients, events } = await world.ada.fetchJson<Detail>(`GET /api/mail/${id}`)
    expect(recipients).toMatchObject([
      { address: 'fine@example.com', state: 'sent', response: expect.stringContaining('queued as') },
      { address: 'unknown@example.com', state: 'bounced', response: expect.stringContaining('User unknown') },
      // Not about the address, but the relay's rules: it may be accepted later.
      { address: 'relay@elsewhere.example', state: expect.stringMatching(/bounced|deferred/) },
    ])
    expect(events.find(({ type }) => type === 'attempt')?.encryption).toContain('TLS')
    expect(await eventually(() => postfix.delivered().length === 1)).toBe(true)
    expect(postfix.delivered()[0]).toContain(`Message-ID: <${id}@shop.acme.example>`)
    expect(postfix.delivered()[0]).toContain('DKIM-Signature:')
  },
)
