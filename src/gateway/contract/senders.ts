import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { listOf } from '#lib/paginate.ts'
import { Timestamp } from '#lib/time.ts'

const domainKinds = ['smtp', 'resend', 'cloudflare_email', 'platform'] as const
export const DomainKind = z
  .enum(domainKinds)
  .describe('Through what its emails are sent. The platform’s own domain needs no setup.')
export type DomainKind = z.output<typeof DomainKind>

export const dkimSelectors = ['atrium1', 'atrium2'] as const
export type DkimSelector = (typeof dkimSelectors)[number]

export const RecordPurpose = z.enum(['ownership', 'spf', 'dkim1', 'dkim2', 'dmarc'])
export type RecordPurpose = z.output<typeof RecordPurpose>

export const RecordState = z.enum(['correct', 'missing', 'mismatch', 'unchecked'])
export type RecordState = z.output<typeof RecordState>

/** What a check found. */
export interface RecordFinding {
  purpose: RecordPurpose
  state: RecordState
  found: readonly string[]
  advice: string | null
}

export const SenderDomainRecord = z.object({
  purpose: RecordPurpose,
  type: z.literal('TXT'),
  name: z.string(),
  value: z.string().nullable().describe('Null for a key that the provider creates: it shows the value.'),
  required: z.boolean().describe('Whether the domain can only be verified with it.'),
  found: z.array(z.string()),
  state: RecordState,
  advice: z.string().nullable().describe('What to change, in one sentence; null when nothing needs to change.'),
})
export type SenderDomainRecord = z.output<typeof SenderDomainRecord>

export const SenderDomain = z.object({
  id: Id,
  domain: z.string(),
  kind: DomainKind,
  status: z
    .enum(['pending', 'verified', 'failing'])
    .describe('`failing`: it was verified, and a required record is missing now. It can send for 24 more hours.'),
  records: z.array(SenderDomainRecord),
  zoneFile: z.string().describe('The records as lines of a zone file.'),
  sentThrough: z.string().nullable().describe('The host of the mail server or the provider; null for the platform’s.'),
  keyCreatedAt: Timestamp.nullable(),
  checkedAt: Timestamp.nullable(),
  checkError: z.string().nullable(),
  verifiedAt: Timestamp.nullable(),
  failingSince: Timestamp.nullable(),
  createdAt: Timestamp.nullable(),
  can: z.object({ update: z.boolean() }),
})
export type SenderDomain = z.output<typeof SenderDomain>
/** With dates, before it is sent. */
export type StoredSenderDomain = z.input<typeof SenderDomain>

export const SenderDomainList = listOf(SenderDomain).extend({ can: z.object({ create: z.boolean() }) })
export type SenderDomainList = z.output<typeof SenderDomainList>

export const Sender = z.object({
  id: Id,
  address: z.string(),
  name: z.string(),
  replyTo: z.string().nullable(),
  usedFor: z.string().nullable(),
  isDefault: z.boolean(),
  domainId: Id,
  domain: z.string(),
  kind: DomainKind,
  state: z.enum(['ready', 'waiting', 'paused']).describe('`waiting`: for the DNS records of its domain.'),
  stateReason: z.string().nullable(),
  sent: z.int().describe('Emails of the last 30 days, by recipient.'),
  bounced: z.int().describe('Those that bounced.'),
  waiting: z.int().describe('Emails that wait to be sent.'),
  createdAt: Timestamp.nullable(),
  can: z.object({ update: z.boolean() }),
})
export type Sender = z.output<typeof Sender>
/** With dates, before it is sent. */
export type StoredSender = z.input<typeof Sender>

export const SenderList = listOf(Sender).extend({ can: z.object({ create: z.boolean() }) })
export type SenderList = z.output<typeof SenderList>
