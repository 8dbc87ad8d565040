import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openDatabase, type DatabaseHandle } from '#lib/db.ts'
import { eventually, killRest } from '../boot/program.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { newPublisher } from '../support/publisher.ts'
import { serve, type Served } from '../support/served.ts'
import { scaleTime } from '../support/time-scale.ts'

// A server is killed after the chat received a message and before the server could store that. A second one takes over.

let fresh: TestDatabase
let database: DatabaseHandle
beforeAll(async () => {
  fresh = await freshDatabase()
  database = openDatabase(fresh.url, 3)
})
afterAll(async () => {
  await killRest()
  await database.close()
  await fresh.drop()
})

/** Kills the first server while its first message waits for a response. */
function openChat() {
  const messages: string[] = []
  let doomed: Served | undefined
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      messages.push(await request.text())
      if (!doomed) return new Response('ok')
      doomed.kill('SIGKILL')
      return new Promise<Response>(() => {})
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}/services/T01/B02/hook`,
    /** For each message, which of the titles it has. */
    titles: (all: readonly string[]) => messages.map((text) => all.filter((title) => text.includes(title))),
    doom: (one: Served | undefined) => void (doomed = one),
    close: () => server.stop(true),
  }
}

const limit = scaleTime(60_000)

test(
  'DSH-37 notification of a server killed between sending and storing is emailed once, and posted to the chat again',
  async () => {
    const chat = openChat()
    const first = await serve({ databaseUrl: fresh.url })
    chat.doom(first)
    const ada = await newPublisher(first.url)
    const titles = ['The oven is cold', 'The till is short', 'The door is open'] as const
    const raise = (call: typeof ada.call, title: string) =>
      call('POST', '/api/notifications', { cause: title, title, reason: 'See to it.', href: '/dashboard' }, 201)
    await ada.call('PUT', '/api/chat-webhook', {
      url: chat.url,
      choices: [{ kind: 'dashboard.posted', enabled: true }],
    })
    await raise(ada.call, titles[0])
    await first.exited
    expect(chat.titles(titles)).toEqual([[titles[0]]])
    chat.doom(undefined)
    const second = await serve({ databaseUrl: fresh.url })
    const { call } = ada.through(second.url)

    // The lease of the killed server still lasts.
    await raise(call, titles[1])
    expect(await eventually(() => chat.titles(titles).length === 2, limit)).toBe(true)
    expect(chat.titles(titles)[1]).toEqual([titles[1]])

    await database.sql`UPDATE dashboard.notification_deliveries SET leased_until = now()
      WHERE channel = 'chat' AND state = 'waiting'`
    await raise(call, titles[2])
    const isSettled = async () =>
      (await database.sql`SELECT 1 FROM dashboard.notification_deliveries WHERE channel = 'chat' AND state = 'sent'`)
        .length === 3
    expect(await eventually(isSettled, limit)).toBe(true)
    const received = chat.titles(titles).flat()
    // A chat takes no idempotency key: at least once, and here exactly twice.
    expect(titles.map((title) => received.filter((one) => one === title).length)).toEqual([2, 1, 1])

    const emails = await database.sql`SELECT state, mail_id FROM dashboard.notification_deliveries
      JOIN dashboard.notifications ON notifications.id = notification_id
      WHERE channel = 'email' AND title = ${titles[0]}`
    expect(emails).toMatchObject([{ state: 'sent' }])
    // One email has one or more of them: its title is the subject, or their number is.
    const [counted] = await database.sql`SELECT
      (SELECT count(*)::int FROM platform.mails
        WHERE subject LIKE '% · %' OR subject LIKE '% notifications in %') AS mails,
      (SELECT count(DISTINCT mail_id)::int FROM dashboard.notification_deliveries
        WHERE channel = 'email' AND mail_id IS NOT NULL) AS delivered`
    expect(counted?.['mails']).toBeGreaterThan(0)
    expect(counted?.['mails']).toBe(counted?.['delivered'])
    second.kill('SIGTERM')
    await second.exited
    await chat.close()
  },
  scaleTime(230_000),
)
