import { requireNoTransaction } from '../outside-calls.ts'
import type { Outgoing } from './letter.ts'

/** Milliseconds for the connection, the greeting, and any silence after them. */
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000, dnsTimeout: 10_000 }

/** Mails that are handed over side by side, each on a connection of its own. */
export const maxConnections = 8
/** Connections that the next mails use too; closed after a second without any, and each failure is the queue's to try again. */
const poolOptions = { pool: true as const, maxConnections, idleTimeout: 1_000, maxRequeues: 0 }

/** Why a mail was not taken. */
export interface Refusal {
  /** The server will never take it: sending it again is pointless. */
  permanent: boolean
  reason: string
}

/** The way to a mail server. */
export interface Smtp {
  /** Hands a mail over. Throws what `refusalOf` reads. */
  deliver(mail: Outgoing): Promise<void>
}

/**
 * A mail server by its address, such as `smtp://user:password@host:587` or `smtps://…`. A password never travels in the
 * clear: with one, the connection has to be encrypted.
 */
export function openSmtp(url: string, from: string): Smtp {
  const { username, protocol } = new URL(url)
  const options = { url, ...timeouts, ...poolOptions, requireTLS: username !== '' && protocol === 'smtp:' }
  const open = () => import('nodemailer').then(({ createTransport }) => createTransport(options))
  let transport: ReturnType<typeof open> | undefined
  return {
    deliver: async ({ id, recipient, subject, text, html }) => {
      requireNoTransaction('The mail server')
      const messageId = `<${id}@${domainOf(from)}>`
      const automatic = { 'Auto-Submitted': 'auto-generated' }
      await (
        await (transport ??= open())
      ).sendMail({
        from,
        to: { name: '', address: recipient },
        subject,
        text,
        html,
        messageId,
        headers: automatic,
      })
    },
  }
}

/** Of one mail the same at every attempt: receivers drop what they have already. */
const domainOf = (from: string): string => /@([\w.-]+)/.exec(from)?.[1] ?? 'localhost'

/** What a failed delivery means. Only a mail or its recipient is refused for good: the rest the operator can mend. */
export function refusalOf(error: unknown): Refusal {
  const { message, responseCode, code } = facts(error)
  return {
    permanent: responseCode >= 500 && ['EENVELOPE', 'EMESSAGE'].includes(code),
    reason: message.replaceAll(/\s+/g, ' ').slice(0, 500),
  }
}

function facts(error: unknown) {
  if (!(error instanceof Error)) return { message: String(error), responseCode: 0, code: '' }
  const responseCode = 'responseCode' in error && typeof error.responseCode === 'number' ? error.responseCode : 0
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return { message: error.message, responseCode, code }
}
