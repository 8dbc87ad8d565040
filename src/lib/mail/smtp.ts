import { requireNoTransaction } from '../outside-calls.ts'
import { unsubscribeHeaders, type Outgoing } from './letter.ts'

/** Milliseconds. */
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000, dnsTimeout: 10_000 }

export const maxConnections = 8
/** Connections are reused for a second. The queue retries failures, so the pool doesn't. */
const poolOptions = { pool: true as const, maxConnections, idleTimeout: 1_000, maxRequeues: 0 }

export interface Refusal {
  /** Sending it again is pointless. */
  permanent: boolean
  reason: string
}

export interface Smtp {
  /** @throws an error for `refusalOf` */
  deliver(mail: Outgoing): Promise<void>
}

/** `smtp://user:password@host:587` or `smtps://…`. With a password the connection must be encrypted. */
export function openSmtp(url: string, from: string): Smtp {
  const { username, protocol } = new URL(url)
  const options = { url, ...timeouts, ...poolOptions, requireTLS: username !== '' && protocol === 'smtp:' }
  const open = () => import('nodemailer').then(({ createTransport }) => createTransport(options))
  let transport: ReturnType<typeof open> | undefined
  return {
    deliver: async ({ id, recipient, subject, text, html, unsubscribe, calendar }) => {
      requireNoTransaction('The mail server')
      const messageId = `<${id}@${domainOf(from)}>`
      const automatic = { 'Auto-Submitted': 'auto-generated', ...unsubscribeHeaders(unsubscribe) }
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
        ...(calendar && { icalEvent: { ...calendar, filename: 'invite.ics' } }),
      })
    },
  }
}

/** For the message ID, which is the same in every attempt, so that receivers can drop duplicates. */
const domainOf = (from: string): string => /@([\w.-]+)/.exec(from)?.[1] ?? 'localhost'

/** Only a refused message or recipient is permanent. The operator can fix everything else. */
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
