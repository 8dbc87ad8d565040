import { z } from 'zod'
import { Problem } from '#lib/errors.ts'
import type { MailTransport } from '#lib/mail/transport.ts'

import { EmailReceipt } from '../contract/email.ts'
import type { GatewayRequests } from './requests.ts'

const route = '/platform/email/messages'
/** Milliseconds. Emails that sign people in don't wait longer for the gateway. */
const holdMs = 10_000

const Found = EmailReceipt.extend({ recipients: z.array(z.object({ response: z.string().nullable() })) })

/** Through which the outbox of this process hands its emails over. */
export const createMailTransport = ({ request }: GatewayRequests, caller: string): MailTransport => ({
  hold: async ({ id, recipient, subject, text, html, unsubscribe }) => {
    const sent = {
      id,
      to: [recipient],
      subject,
      text,
      html,
      system: true,
      hold: true,
      ...(unsubscribe && { unsubscribe }),
    }
    const answer = EmailReceipt
    await request({ caller, method: 'POST', path: route, sent, answer, timeoutMs: holdMs })
  },
  confirm: async (id) => {
    try {
      await request({ caller, method: 'POST', path: `${route}/${id}/confirm`, sent: {}, answer: EmailReceipt })
      return 'confirmed'
    } catch (error) {
      if (error instanceof Problem && (error.status === 404 || error.code === 'email_dropped')) return 'lost'
      throw error
    }
  },
  outcome: async (id) => {
    const found = await request({ caller, method: 'GET', path: `${route}/${id}`, answer: Found })
    if (found.status === 'sent') return { state: 'sent' }
    if (found.status !== 'failed' && found.status !== 'dropped') return { state: 'open' }
    return { state: 'refused', problem: found.recipients[0]?.response ?? 'The email could not be sent.' }
  },
})
