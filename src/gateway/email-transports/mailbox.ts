import type { Database } from '#lib/db.ts'
import type { Mail } from '#lib/mail.ts'
import type { EmailTransport } from './transport.ts'

/** The mailbox of development and tests, at /dev/mailbox. */
export const mailboxTransport = (db: Database, mail: Pick<Mail, 'keep'>): EmailTransport => ({
  provider: 'mailbox',
  send: async (email, { beginData }) => {
    await beginData()
    const { id, subject, text, html, recipients, date } = email
    await mail.keep(db, { id, recipient: recipients.join(', '), subject, text: text ?? '', html: html ?? '' }, date)
    const result = { state: 'sent', response: 'Stored in the mailbox of this server' } as const
    return {
      server: null,
      encryption: null,
      response: result.response,
      providerMessageId: null,
      results: new Map(recipients.map((address) => [address, result])),
    }
  },
})
