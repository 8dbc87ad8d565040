import { Readable } from 'node:stream'
import { TLSSocket } from 'node:tls'
import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { SMTPConnectionSendInfo, SMTPError } from 'nodemailer/lib/smtp-connection'
import { requireNoTransaction } from '#lib/outside-calls.ts'
import { composeMime } from './compose.ts'
import { factsOf, hostOf, openConnection, type SmtpServer } from './smtp-connection.ts'
import {
  NotDelivered,
  type Delivery,
  type EmailTransport,
  type OutgoingEmail,
  type Progress,
  type RecipientResult,
} from './transport.ts'

/** Milliseconds that an unused connection stays open. */
const idleMs = 1_000
const maxIdle = 8

export interface SmtpPool {
  transport(server: SmtpServer): EmailTransport
  close(): void
}

interface Idle {
  connection: SMTPConnection
  drop: () => void
  timer: ReturnType<typeof setTimeout>
}

export function createSmtpPool(): SmtpPool {
  const idle = new Map<string, Idle[]>()

  function takeIdle(url: string): SMTPConnection | undefined {
    const found = idle.get(url)?.pop()
    if (!found) return undefined
    clearTimeout(found.timer)
    found.connection.off('end', found.drop)
    return found.connection.destroyed ? takeIdle(url) : found.connection
  }

  function keep(url: string, connection: SMTPConnection): void {
    const kept = idle.get(url) ?? []
    if (connection.destroyed || kept.length >= maxIdle) {
      connection.close()
      return
    }
    const drop = () => {
      clearTimeout(entry.timer)
      const left = (idle.get(url) ?? []).filter((each) => each !== entry)
      if (left.length > 0) idle.set(url, left)
      else idle.delete(url)
      connection.close()
    }
    const entry: Idle = { connection, drop, timer: setTimeout(drop, idleMs) }
    connection.once('end', drop)
    idle.set(url, [...kept, entry])
  }

  async function sendOver(
    connection: SMTPConnection,
    { url }: SmtpServer,
    mail: { email: OutgoingEmail; mime: Buffer },
    { beginData, signal }: Progress,
  ): Promise<Delivery> {
    const abort = () => connection.close()
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    try {
      const delivery = await transfer(connection, { ...mail, server: hostOf(url) }, beginData)
      const isAccepted = [...delivery.results.values()].some(({ state }) => state === 'sent')
      if (isAccepted) keep(url, connection)
      else connection.close()
      return delivery
    } catch (error) {
      connection.close()
      throw error
    } finally {
      signal.removeEventListener('abort', abort)
    }
  }

  return {
    transport: (server) => ({
      provider: server.provider,
      send: async (email, progress) => {
        requireNoTransaction('The mail server')
        const mime = await composeMime(email)
        const used = takeIdle(server.url)
        if (!used) return sendOver(await openConnection(server, progress.signal), server, { email, mime }, progress)
        let hasBegun = false
        const beginData = () => {
          hasBegun = true
          return progress.beginData()
        }
        return sendOver(used, server, { email, mime }, { ...progress, beginData }).catch(async (error: unknown) => {
          // The server can have closed it while it was unused.
          if (hasBegun || !(error instanceof NotDelivered) || error.hasResponse) throw error
          return sendOver(await openConnection(server, progress.signal), server, { email, mime }, progress)
        })
      },
    }),
    close: () => {
      for (const { connection, timer } of [...idle.values()].flat()) {
        clearTimeout(timer)
        connection.close()
      }
      idle.clear()
    },
  }
}

/** @throws {NotDelivered} */
async function transfer(
  connection: SMTPConnection,
  { email, mime, server }: { email: OutgoingEmail; mime: Buffer; server: string },
  beginData: () => Promise<void>,
): Promise<Delivery> {
  const encryption = encryptionOf(connection)
  let isSent = false
  // Read only after the server's 354; the final dot follows once all of it was read.
  const content = Readable.from(
    (async function* () {
      await beginData()
      yield mime
      isSent = true
    })(),
    { objectMode: false },
  )
  const envelope = { from: email.from.address, to: [...email.recipients], size: mime.length }
  const ended = Promise.withResolvers<never>()
  const end = () => ended.reject(new Error(`${server} closed the connection.`))
  connection.once('end', end)
  connection.once('error', ended.reject)
  content.once('error', ended.reject)
  try {
    const sent = new Promise<SMTPConnectionSendInfo>((done, fail) =>
      connection.send(envelope, content, (error, info) => (error ? fail(error) : done(info))),
    )
    const { response, rejectedErrors = [] } = await Promise.race([sent, ended.promise])
    return {
      server,
      encryption,
      response,
      providerMessageId: null,
      results: resultsOf(email, response, rejectedErrors),
    }
  } catch (error) {
    const facts = factsOf(error)
    // When the server refused all of them, each has a response of its own.
    if (facts.rejectedErrors.length > 0) {
      const results = resultsOf(email, facts.message, facts.rejectedErrors)
      return { server, encryption, response: facts.message, providerMessageId: null, results }
    }
    const isRefused = facts.permanent !== undefined
    const outcome = isRefused ? (facts.permanent ? 'bounced' : 'deferred') : isSent ? 'unknown' : 'deferred'
    throw new NotDelivered(outcome, facts.message, { server, cause: error, hasResponse: isRefused })
  } finally {
    connection.off('end', end)
    connection.off('error', ended.reject)
    content.destroy()
  }
}

const encryptionOf = ({ _socket: socket }: SMTPConnection): string | null =>
  socket instanceof TLSSocket ? socket.getProtocol() : null

function resultsOf(
  { recipients }: OutgoingEmail,
  response: string,
  errors: readonly SMTPError[],
): Map<string, RecipientResult> {
  const refused = new Map(errors.map((error) => [error.recipient, error] as const))
  return new Map(
    recipients.map((address): [string, RecipientResult] => {
      const error = refused.get(address)
      if (!error) return [address, { state: 'sent', response }]
      return [address, { state: error.permanent ? 'bounced' : 'deferred', response: factsOf(error).message }]
    }),
  )
}
