import { and, eq, inArray } from 'drizzle-orm'
import { z } from 'zod'
import type { JobDependencies } from '#lib/job.ts'
import { plainText } from '#lib/text.ts'
import type { RecipientState } from '../contract/email.ts'
import { emailMessages, emailRecipients } from '../schema.ts'
import { maxRecipients } from './input.ts'
import { pauseIfBouncing, reportRecipient, storableResponse } from './outcome.ts'

/** Of Resend; events about other things are ignored. */
export const ResendReport = z.object({
  type: z.enum(['email.delivered', 'email.bounced', 'email.complained', 'email.failed', 'email.suppressed']),
  data: z.object({
    email_id: plainText(200),
    to: z.array(plainText(320)).max(maxRecipients),
    bounce: z.object({ message: z.string(), type: z.string(), subType: z.string() }).optional(),
  }),
})
type ResendReport = z.output<typeof ResendReport>

const states = {
  'email.delivered': 'delivered',
  'email.bounced': 'bounced',
  'email.complained': 'complained',
  'email.failed': 'failed',
  'email.suppressed': 'bounced',
} as const satisfies Record<ResendReport['type'], RecipientState>

/** Reports arrive in any order: a complaint about an email can come before its delivery. */
const after = {
  delivered: ['queued', 'deferred', 'sent'],
  bounced: ['queued', 'deferred', 'sent', 'delivered'],
  failed: ['queued', 'deferred', 'sent'],
  complained: ['queued', 'deferred', 'sent', 'delivered'],
} as const

interface Report {
  /** Of the credential that signed it; null for the platform’s. */
  organizationId: string | null
  report: ResendReport
  at: Date
}

/** Twice the same changes nothing. */
export async function applyReport(work: JobDependencies, { organizationId, report, at }: Report): Promise<void> {
  const { email_id: providerMessageId, to, bounce } = report.data
  // A bounce that isn’t permanent is tried again by the provider.
  if (bounce && bounce.type.toLowerCase() === 'transient') return
  const state = states[report.type]
  const response = storableResponse(
    bounce ? `${bounce.subType}: ${bounce.message}` : `Reported by Resend as ${report.type}`,
  )
  await work.database.transaction(async (tx) => {
    const [message] = await tx
      .select()
      .from(emailMessages)
      .where(
        and(
          eq(emailMessages.providerMessageId, providerMessageId),
          eq(emailMessages.provider, 'resend'),
          // The base URL of an organization’s provider could return IDs of emails of other organizations.
          organizationId === null ? undefined : eq(emailMessages.organizationId, organizationId),
        ),
      )
    if (!message) return
    const changed = await tx
      .update(emailRecipients)
      .set({ state, response, settledAt: at })
      .where(
        and(
          eq(emailRecipients.messageId, message.id),
          inArray(emailRecipients.address, to),
          inArray(emailRecipients.state, after[state]),
        ),
      )
      .returning({ address: emailRecipients.address })
    for (const { address } of changed)
      await reportRecipient(tx, work, { message, address, state, response, at, suppresses: true })
    if (changed.length > 0 && state !== 'delivered') await pauseIfBouncing(tx, work, message)
  })
}
