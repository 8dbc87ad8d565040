import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { webhookEvent } from '#lib/outgoing-webhooks/event.ts'
import { Timestamp } from '#lib/time.ts'

const DomainChange = z.object({ id: Id, domain: z.string(), checkedAt: Timestamp })

export const senderDomainVerified = webhookEvent({
  type: 'sender_domain.verified',
  summary: 'A sender domain was verified',
  permission: 'usage:read',
  data: DomainChange,
})

export const senderDomainFailing = webhookEvent({
  type: 'sender_domain.failing',
  summary: 'A DNS record that a verified sender domain requires is missing',
  permission: 'usage:read',
  data: DomainChange,
})

export const senderPaused = webhookEvent({
  type: 'sender.paused',
  summary: 'A sender was paused because more than 5 % of its emails bounced',
  permission: 'usage:read',
  data: z.object({ id: Id, address: z.string(), sent: z.int(), bounced: z.int() }),
})

export const senderEvents = [senderDomainVerified, senderDomainFailing, senderPaused] as const
