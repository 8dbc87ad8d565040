import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { listOf } from '#lib/paginate.ts'
import { Timestamp } from '#lib/time.ts'
import { NanoUsd } from './nano-usd.ts'

const messageStates = ['held', 'queued', 'settled', 'dropped'] as const
export type MessageState = (typeof messageStates)[number]

export const RecipientField = z.enum(['to', 'cc', 'bcc'])
export type RecipientField = z.output<typeof RecipientField>

export const RecipientState = z.enum([
  'queued',
  'deferred',
  'sent',
  'delivered',
  'bounced',
  'complained',
  'suppressed',
  'failed',
  'dropped',
])
export type RecipientState = z.output<typeof RecipientState>

/** Tabs of the log. */
export const MailStatus = z.enum(['delivered', 'queued', 'bounced', 'suppressed'])
export type MailStatus = z.output<typeof MailStatus>

export const statesOfStatus: Readonly<Record<MailStatus, readonly RecipientState[]>> = {
  delivered: ['sent', 'delivered'],
  queued: ['queued', 'deferred'],
  bounced: ['bounced', 'complained', 'failed'],
  suppressed: ['suppressed'],
}

export const EmailEventType = z.enum([
  'accepted',
  'repeated',
  'attempt',
  'sent',
  'deferred',
  'delivered',
  'bounced',
  'complained',
  'suppressed',
  'failed',
  'dropped',
])
export type EmailEventType = z.output<typeof EmailEventType>

export const AttachmentFacts = z.object({ name: z.string(), type: z.string(), bytes: z.int() })
export type AttachmentFacts = z.output<typeof AttachmentFacts>

export const EmailReceipt = z.object({
  id: Id,
  status: z
    .enum(['held', 'queued', 'sent', 'failed', 'dropped'])
    .describe('`sent`: accepted for each recipient. `failed`: for at least one, it wasn’t.'),
})
export type EmailReceipt = z.output<typeof EmailReceipt>

const EmailRecipient = z.object({
  address: z.string(),
  field: RecipientField,
  state: RecipientState,
  response: z.string().nullable().describe('Of the mail server or provider.'),
  settledAt: Timestamp.nullable(),
})

export const EmailMessage = EmailReceipt.extend({
  recipients: z.array(EmailRecipient),
  createdAt: Timestamp,
  settledAt: Timestamp.nullable(),
})
export type EmailMessage = z.output<typeof EmailMessage>

export const MailLogEntry = z.object({
  id: Id.describe('Of the email. Each recipient is an entry of its own.'),
  recipientId: Id,
  subject: z.string(),
  recipient: z.string(),
  state: RecipientState,
  fromAddress: z.string(),
  fromName: z.string(),
  senderId: Id,
  applicationId: z.string().nullable(),
  applicationName: z.string().nullable(),
  response: z.string().nullable(),
  createdAt: Timestamp,
  settledAt: Timestamp.nullable(),
})
export type MailLogEntry = z.output<typeof MailLogEntry>

const Count = z
  .int()
  .describe('Up to 1,000: 1001 means that there are more. With filters, of the newest 10,000 recipients.')

export const MailLog = listOf(MailLogEntry).extend({
  counts: z.object({ all: Count, delivered: Count, queued: Count, bounced: Count, suppressed: Count }),
})
export type MailLog = z.output<typeof MailLog>

export const MailEvent = z.object({
  id: Id,
  type: EmailEventType,
  address: z.string().nullable(),
  at: Timestamp,
  endedAt: Timestamp.nullable(),
  outcome: z
    .enum(['sent', 'deferred', 'bounced', 'failed', 'unknown', 'interrupted'])
    .nullable()
    .describe('Of an attempt. `unknown`: the connection was lost before the server responded to the content.'),
  server: z.string().nullable(),
  encryption: z.string().nullable().describe('The version of TLS.'),
  response: z.string().nullable(),
})
export type MailEvent = z.output<typeof MailEvent>

export const MailDetail = z.object({
  id: Id,
  subject: z.string(),
  fromAddress: z.string(),
  fromName: z.string(),
  replyTo: z.string().nullable(),
  senderId: Id,
  status: EmailReceipt.shape.status,
  recipients: z.array(EmailRecipient),
  events: z.array(MailEvent),
  template: z.string().nullable(),
  attachments: z.array(AttachmentFacts),
  applicationId: z.string().nullable(),
  applicationName: z.string().nullable(),
  provider: z.string(),
  messageId: z.string().describe('The Message-ID of the email, the same in each attempt.'),
  costNanoUsd: NanoUsd,
  text: z.string().nullable().describe('Only for people with the permission org:admin.'),
  html: z.string().nullable(),
  nextAttemptAt: Timestamp.nullable(),
  createdAt: Timestamp,
  settledAt: Timestamp.nullable(),
  can: z.object({ suppress: z.boolean(), seeContent: z.boolean() }),
})
export type MailDetail = z.output<typeof MailDetail>

export const Suppression = z.object({
  id: Id,
  address: z.string(),
  reason: z.enum(['bounce', 'complaint', 'manual']),
  detail: z.string().nullable(),
  messageId: Id.nullable(),
  createdAt: Timestamp,
})
export type Suppression = z.output<typeof Suppression>

export const SuppressionList = listOf(Suppression).extend({ can: z.object({ update: z.boolean() }) })
export type SuppressionList = z.output<typeof SuppressionList>

export const EmailTemplate = z.object({
  id: Id,
  name: z.string(),
  subject: z.string(),
  text: z.string().nullable(),
  html: z.string().nullable(),
  variables: z.array(z.string()).describe('That an email with this template has to set.'),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type EmailTemplate = z.output<typeof EmailTemplate>

export const EmailTemplateList = listOf(EmailTemplate)
export type EmailTemplateList = z.output<typeof EmailTemplateList>

export const DeadLetter = z.object({
  id: Id,
  mailId: Id,
  subject: z.string(),
  recipient: z.string(),
  fromAddress: z.string(),
  error: z.string().nullable().describe('Of the last attempt.'),
  attempts: z.int(),
  failedAt: Timestamp.nullable(),
  can: z.object({
    retry: z.boolean().describe('The content of sign-in links and other mail of the platform is deleted.'),
    discard: z.boolean(),
  }),
})
export type DeadLetter = z.output<typeof DeadLetter>
export const DeadLetterList = listOf(DeadLetter).extend({ count: z.int() })
export type DeadLetterList = z.output<typeof DeadLetterList>
