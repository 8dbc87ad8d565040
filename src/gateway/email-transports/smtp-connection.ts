import { isIP } from 'node:net'
import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { SMTPConnectionOptions, SMTPError } from 'nodemailer/lib/smtp-connection'
import { beforeAbort } from '#lib/before-abort.ts'
import { NotDelivered } from './transport.ts'

/** Milliseconds of one step each: a server can send a byte now and then. */
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000, dnsTimeout: 10_000 }

export interface SmtpServer {
  /** `smtp://host:587` or `smtps://host`, with or without a user and password. */
  url: string
  /** As usage is counted. */
  provider: string
  /** The addresses of a host that an organization entered. @throws {OutboundError} for a private one */
  resolve: ((host: string) => Promise<string[]>) | null
}

export const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, '')

/** Connects and signs in, until `signal` aborts. With a password the connection must be encrypted. @throws {NotDelivered} */
export async function openConnection({ url, resolve }: SmtpServer, signal: AbortSignal): Promise<SMTPConnection> {
  const { port, protocol, username, password, searchParams } = new URL(url)
  const secure = protocol === 'smtps:'
  const host = hostOf(url)
  const fail = (error: unknown): never => {
    const message = signal.aborted ? `${host} didn’t accept the connection in time.` : factsOf(error).message
    // Wrong passwords and certificates are the operator's to fix, so nothing is given up because of them.
    throw new NotDelivered('deferred', message, {
      server: host,
      cause: error,
      rejectsCredential: isSignInRefused(error),
    })
  }
  const rejectUnauthorized = searchParams.get('tls.rejectUnauthorized') !== 'false'
  const [address = host] = resolve ? await beforeAbort(signal, resolve(host)).catch(fail) : [host]
  const { default: Connection } = await import('nodemailer/lib/smtp-connection')
  const options: SMTPConnectionOptions = {
    host: address,
    // An IP address can't be a server name of TLS.
    ...(isIP(host) === 0 && { servername: host }),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    requireTLS: username !== '' && !secure,
    tls: { rejectUnauthorized },
    ...timeouts,
  }
  const connection = new Connection(options)
  // Errors after a message are shown by the next one, which then opens a connection.
  connection.on('error', () => {})
  const opened = new Promise<void>((done, refuse) => {
    connection.once('error', refuse)
    connection.once('end', () => refuse(new Error(`${host} closed the connection.`)))
    connection.connect((error) => {
      if (error) return refuse(error)
      if (username === '') return done()
      const auth = { user: decodeURIComponent(username), pass: decodeURIComponent(password) }
      return connection.login(auth, (refused) => (refused ? refuse(refused) : done()))
    })
  })
  await beforeAbort(signal, opened).catch((error: unknown) => {
    connection.close()
    return fail(error)
  })
  connection.removeAllListeners('end')
  return connection
}

/** Not for now (454), but because of the user name or password. */
function isSignInRefused(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, permanent }: SMTPError = error
  return code === 'EAUTH' && permanent === true
}

interface Facts {
  message: string
  /** Of a response; unset without one. */
  permanent: boolean | undefined
  rejectedErrors: readonly SMTPError[]
}

export function factsOf(error: unknown): Facts {
  if (!(error instanceof Error)) return { message: String(error), permanent: undefined, rejectedErrors: [] }
  const { response, permanent, rejectedErrors = [] }: SMTPError = error
  return { message: response || error.message, permanent, rejectedErrors }
}
