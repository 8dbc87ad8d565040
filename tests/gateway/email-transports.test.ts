import { expect, test } from 'bun:test'
import { createServer } from 'node:net'
import { newId } from '#lib/ids.ts'
import { createSmtpPool } from '../../src/gateway/email-transports/smtp.ts'
import { NotDelivered, type OutgoingEmail } from '../../src/gateway/email-transports/transport.ts'
import { startMailServer } from '../support/mail-server.ts'

const emailTo = (...to: string[]): OutgoingEmail => {
  const id = newId()
  return {
    id,
    idempotencyKey: id,
    messageId: `<${id}@acme.example>`,
    date: new Date(),
    from: { name: 'Acme', address: 'hello@acme.example' },
    replyTo: null,
    to,
    cc: [],
    recipients: to,
    subject: 'Order 7',
    text: 'Thank you.',
    html: null,
    attachments: [],
    headers: {},
    dkim: null,
  }
}

test('GTW-41 GTW-03 only a user name or password that a mail server refuses leads to another one', async () => {
  const server = await startMailServer()
  const pool = createSmtpPool()
  const refusalOf = (url: string) =>
    pool
      .transport({ url, provider: 'smtp', resolve: null })
      .send(emailTo('never@example.com'), { signal: new AbortController().signal, beginData: async () => {} })
      .catch((error: unknown) => error)
  expect(await refusalOf(server.url.replace('mail%20password', 'old'))).toMatchObject({ rejectsCredential: true })
  expect(await refusalOf(server.url.replace('?tls.rejectUnauthorized=false', ''))).toMatchObject({
    outcome: 'deferred',
    rejectsCredential: false,
  })
  pool.close()
  await server.stop()
})

test('GTW-41 mail server that never ends its response is left when the attempt is over', async () => {
  const accepted = Promise.withResolvers<void>()
  const server = createServer((socket) => {
    // Each line renews the limit on silence.
    const drip = setInterval(() => socket.write('250-PIPELINING\r\n'), 20)
    socket.on('close', () => clearInterval(drip)).on('error', () => {})
    socket.once('data', () => accepted.resolve())
    socket.write('220 slow.example ESMTP\r\n')
  })
  const listening = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', listening.resolve)
  await listening.promise
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const attempt = new AbortController()
  const pool = createSmtpPool()
  const sent = pool
    .transport({ url: `smtp://127.0.0.1:${port}`, provider: 'smtp', resolve: null })
    .send(emailTo('c@example.com'), { signal: attempt.signal, beginData: async () => {} })
    .catch((error: unknown) => error)
  await accepted.promise
  attempt.abort()
  const failure = await sent
  expect(failure).toBeInstanceOf(NotDelivered)
  expect(failure).toMatchObject({ outcome: 'deferred', server: '127.0.0.1' })
  const closed = Promise.withResolvers<void>()
  server.close(() => closed.resolve())
  await closed.promise
  pool.close()
})
