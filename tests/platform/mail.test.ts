import { afterAll, beforeAll, expect, test } from 'bun:test'
import { deleteExpired } from '#lib/db/delete-expired.ts'
import { openDatabase, type DatabaseHandle } from '#lib/db.ts'
import type { Provided } from '#lib/call.ts'
import { createLog } from '#lib/log.ts'
import { createMail, sendMail, type Letter, type Mail } from '#lib/mail.ts'
import { openQueue, type Queue } from '#lib/queue.ts'
import { createSecrets } from '#lib/secrets.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { startMailServer, type MailServer } from '../support/mail-server.ts'

const secrets = createSecrets(new Uint8Array(32).fill(7))
const now = () => new Date()
const lines: string[] = []
const log = createLog('debug', false, (line) => void lines.push(line))
const letter: Letter = { subject: 'Überraschung', text: 'Open https://atrium.example/door/s3cret', html: '<p>Open</p>' }

let fresh: TestDatabase
let database: DatabaseHandle
let server: MailServer
let queue: Queue
let mail: Mail

beforeAll(async () => {
  ;[fresh, server] = await Promise.all([freshDatabase(), startMailServer()])
  database = openDatabase(fresh.url, 4)
  queue = await openQueue(database, log)
  mail = doorTo(server.url)
  // The job uses nothing else of a server.
  await queue.work([sendMail], { mail } as Provided, now)
})

afterAll(async () => {
  await queue.stop(1000)
  await database.close()
  await Promise.all([server.stop(), fresh.drop()])
})

const doorTo = (url?: string) =>
  createMail({ config: { SMTP_URL: url, MAIL_FROM: 'Atrium <hello@atrium.example>' }, secrets, queue, log })

const post = (to: string, door = mail) => database.transaction((db) => door.send(db, to, letter, now()))

async function delivery(id: string) {
  return (await mail.deliveries(database.db, [id])).get(id)
}

async function until(id: string, settled: (found: Awaited<ReturnType<typeof delivery>>) => boolean) {
  for (let waited = 0; waited < 12_000; waited += 50) {
    const found = await delivery(id)
    if (settled(found)) return found
    // Mails that wait for their next attempt are due at once here.
    await database.sql`UPDATE pgboss.job SET start_after = now() WHERE state = 'retry'`
    await Bun.sleep(50)
  }
  throw new Error(`The mail is still ${JSON.stringify(await delivery(id))}`)
}

test('PLT-30 email is sent after its transaction commits: encrypted, authenticated, as text and HTML', async () => {
  const id = await database.transaction(async (db) => {
    const sending = await mail.send(db, 'grace@example.com', letter, now())
    expect((await mail.deliveries(db, [sending])).get(sending)).toEqual({ state: 'waiting', problem: null })
    return sending
  })
  expect(await until(id, (found) => found?.state === 'sent')).toEqual({ state: 'sent', problem: null })
  const [arrived] = server.arrived.filter(({ recipients }) => recipients.includes('grace@example.com'))
  expect(arrived?.raw).toContain('From: Atrium <hello@atrium.example>')
  expect(arrived?.raw).toContain('Subject: =?UTF-8?Q?=C3=9Cberraschung?=')
  expect(arrived?.raw).toContain(`Message-ID: <${id}@atrium.example>`)
  expect(arrived?.raw).toContain('https://atrium.example/door/s3cret')
  expect(arrived?.raw).toContain('<p>Open</p>')
})

test('PLT-30 rolled-back transaction sends no email', async () => {
  const failing = database.transaction(async (db) => {
    await mail.send(db, 'rolled-back@example.com', letter, now())
    throw new Error('changed my mind')
  })
  await expect(failing).rejects.toThrow('changed my mind')
  expect(await database.sql`SELECT 1 FROM platform.mails WHERE recipient = 'rolled-back@example.com'`).toBeEmpty()
  expect(server.tries('rolled-back@example.com')).toBe(0)
})

test('PLT-30 temporarily rejected email is retried, and the mail server’s response is shown until then', async () => {
  const id = await post('later@example.com')
  const waiting = await until(id, (found) => found?.problem !== null)
  if (waiting?.state === 'waiting') expect(waiting.problem).toContain('451 Greylisted')
  expect(await until(id, (found) => found?.state === 'sent')).toEqual({ state: 'sent', problem: null })
  expect(server.tries('later@example.com')).toBe(2)
})

test('PLT-30 permanently rejected email is not retried, and shows the reason', async () => {
  const id = await post('never@example.com')
  const refused = await until(id, (found) => found?.state !== 'waiting')
  expect(refused?.state).toBe('refused')
  expect(refused?.problem).toContain('550 No such mailbox')
  expect(server.tries('never@example.com')).toBe(1)
  expect(lines.join('\n')).toContain('550 No such mailbox')
})

test('PLT-30 email fails after ten temporary rejections, and can still be sent', async () => {
  const id = await post('always-later@example.com', doorTo(server.url))
  await database.sql`UPDATE platform.mails SET attempts = 10 WHERE id = ${id}`
  const refused = await until(id, (found) => found?.state === 'refused')
  expect(refused?.problem).toContain('451 Greylisted')
  await database.sql`UPDATE platform.mails SET recipient = 'grace@example.com' WHERE id = ${id}`
  await mail.deliver(database.db, id, now())
  expect(await delivery(id)).toEqual({ state: 'sent', problem: null })
})

test('PLT-30 email is retried while the mail server is unavailable or rejects the password', async () => {
  const wrong = server.url.replace('mail%20password', 'wrong')
  for (const url of ['smtp://127.0.0.1:1', wrong]) {
    const id = await database.transaction((db) => doorTo().send(db, 'grace@example.com', letter, now()))
    await database.sql`UPDATE platform.mails SET state = 'waiting', settled_at = NULL WHERE id = ${id}`
    await expect(doorTo(url).deliver(database.db, id, now())).rejects.toThrow('rejected email')
    expect((await delivery(id))?.state).toBe('waiting')
  }
})

test('PLT-22 password is never sent without encryption', async () => {
  const open = await startPlainServer()
  const door = doorTo(`smtp://atrium:secret@127.0.0.1:${open.port}`)
  const id = await database.transaction((db) => doorTo().send(db, 'grace@example.com', letter, now()))
  await expect(door.deliver(database.db, id, now())).rejects.toThrow()
  expect(open.heard()).not.toContain('AUTH')
  expect(open.heard()).not.toContain(Buffer.from('\0atrium\0secret').toString('base64'))
  open.stop()
})

test('PLT-22 links in an email are encrypted in the database, deleted once it is sent, and never logged', async () => {
  const id = await post('hopper@example.com', doorTo())
  const [kept] = await database.sql`SELECT * FROM platform.mails WHERE id = ${id}`
  expect(JSON.stringify(kept)).not.toContain('s3cret')
  expect((await doorTo().open(database.db, id))?.text).toContain('s3cret')
  const sent = await database.sql`SELECT 1 FROM platform.mails WHERE state = 'sent' AND sealed_content IS NOT NULL`
  expect(sent).toBeEmpty()
  const [jobs] =
    await database.sql`SELECT string_agg(data::text || coalesce(output::text, ''), '') AS text FROM pgboss.job`
  expect(jobs?.['text']).not.toContain('s3cret')
  expect(lines.join('\n')).not.toMatch(/s3cret|mail password/)
})

test('PLT-30 emails are deleted after thirty days', async () => {
  const old = new Date(Date.now() - 31 * 24 * 60 * 60 * 1000)
  const id = await database.transaction((db) => doorTo().send(db, 'old@example.com', letter, old))
  const young = await post('young@example.com', doorTo())
  await deleteExpired.run({ database, input: {}, now } as never)
  expect([...(await mail.deliveries(database.db, [id, young])).keys()]).toEqual([young])
})

/** A mail server without encryption. */
async function startPlainServer() {
  let text = ''
  const listener = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      open: (socket) => void socket.write('220 plain ESMTP\r\n'),
      data: (socket, bytes) => {
        text += bytes.toString()
        socket.write(/^EHLO/i.test(bytes.toString()) ? '250-plain\r\n250 AUTH PLAIN\r\n' : '502 No\r\n')
      },
    },
  })
  return { port: listener.port, heard: () => text, stop: () => listener.stop(true) }
}
