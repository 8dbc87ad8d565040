import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { webhookEvent } from '#lib/outgoing-webhooks/event.ts'

const MailReport = z.object({
  id: Id.describe('Of the email.'),
  recipient: z.string(),
  subject: z.string(),
  senderId: Id,
  applicationId: z.string().nullable(),
  response: z.string().nullable().describe('Of the mail server or provider.'),
})

const base = { permission: 'usage:read', data: MailReport } as const

export const mailSent = webhookEvent({
  ...base,
  type: 'mail.sent',
  summary: 'A mail server or provider accepted an email',
})
export const mailDelivered = webhookEvent({
  ...base,
  type: 'mail.delivered',
  summary: 'A provider reported that an email was delivered',
})
export const mailBounced = webhookEvent({ ...base, type: 'mail.bounced', summary: 'An email bounced permanently' })
export const mailComplained = webhookEvent({
  ...base,
  type: 'mail.complained',
  summary: 'A recipient reported an email as spam',
})
export const mailFailed = webhookEvent({
  ...base,
  type: 'mail.failed',
  summary: 'An email could not be sent within its retries',
})

export const mailEvents = [mailSent, mailDelivered, mailBounced, mailComplained, mailFailed] as const
