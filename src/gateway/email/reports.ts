import { and, eq, gt, inArray, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import { newId } from '#lib/ids.ts'
import type { JobDependencies } from '#lib/job.ts'
import { plainText } from '#lib/text.ts'
import type { RecipientState } from '../contract/email.ts'
import { emailEvents, emailMessages, emailRecipients } from '../schema.ts'
import { maxRecipients } from './input.ts'
import { pauseIfBouncing } from './bounces.ts'
import { reportRecipient, storableResponse } from './outcome.ts'
import type { MessageRow } from './rows.ts'

/** Of Resend; events about other things are ignored. */
export const ResendReport = z.object({
  type: z.enum(['email.delivered', 'email.bounced', 'email.complained', 'email.failed', 'email.suppressed']),
  data: z.object({
    email_id: plainText(200),
    to: z.array(plainText(320)).max(maxRecipients),
    bounce: z
      .object({
        message: z.string(),
        type: z.string(),
        subType: z.string(),
        diagnosticCode: z.array(z.string()).catch([]).default([]),
      })
      .optional(),
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

/** Milliseconds that a report waits for the outcome of the attempt that it is about. */
const earlyMs = 30 * 60_000

interface Report {
  /** Of the credential that signed it; null for the platform’s. */
  organizationId: string | null
  report: ResendReport
  at: Date
}

/** Twice the same changes nothing. @throws when it can be about an email whose outcome isn’t stored yet */
export async function applyReport(work: JobDependencies, { organizationId, report, at }: Report): Promise<void> {
  const { email_id: providerMessageId, bounce } = report.data
  // A bounce that isn’t permanent is tried again by the provider.
  if (bounce && bounce.type.toLowerCase() === 'transient') return
  const state = states[report.type]
  const response = storableResponse(
    bounce ? `${bounce.subType}: ${bounce.message}` : `Reported by Resend as ${report.type}`,
  )
  await work.database.transaction(async (tx) => {
    // The base URL of an organization’s provider could return IDs of emails of other organizations.
    const isTheirs = organizationId === null ? undefined : eq(emailMessages.organizationId, organizationId)
    // First: what is stored in between is then found.
    const isEarly = work.now().getTime() - at.getTime() < earlyMs && (await isSending(tx, isTheirs))
    const [message] = await tx
      .select()
      .from(emailMessages)
      .where(
        and(eq(emailMessages.providerMessageId, providerMessageId), eq(emailMessages.provider, 'resend'), isTheirs),
      )
    if (!message) {
      if (isEarly) throw new Error('The outcome of the email isn’t stored yet')
      return
    }
    const ids = await findReported(tx, message, report)
    if (ids === null) return noteUnnamed(tx, { message, state, response, at })
    const changed = await tx
      .update(emailRecipients)
      .set({ state, response, settledAt: at })
      .where(and(inArray(emailRecipients.id, ids), inArray(emailRecipients.state, after[state])))
      .returning({ address: emailRecipients.address })
    for (const { address } of changed)
      await reportRecipient(tx, work, { message, address, state, response, at, suppresses: true })
    if (changed.length > 0 && state !== 'delivered') await pauseIfBouncing(tx, work, message)
  })
}

/** Whether an attempt of any email of theirs has begun, and isn’t known to have succeeded. */
async function isSending(tx: Database, isTheirs: ReturnType<typeof eq> | undefined): Promise<boolean> {
  const [open] = await tx
    .select({ id: emailMessages.id })
    .from(emailMessages)
    .where(and(eq(emailMessages.state, 'queued'), gt(emailMessages.attempts, 0), isTheirs))
    .limit(1)
  return open !== undefined
}

/** IDs of the recipients that a report is about; null when it is about one of several, and doesn’t name it. */
async function findReported(
  tx: Database,
  { id }: MessageRow,
  { type, data: { to, bounce } }: ResendReport,
): Promise<string[] | null> {
  const recipients = await tx
    .select({ id: emailRecipients.id, address: emailRecipients.address })
    .from(emailRecipients)
    .where(eq(emailRecipients.messageId, id))
  const idsOf = (addresses: readonly string[]) => {
    const wanted = new Set(addresses.map((address) => address.toLowerCase()))
    return recipients.filter(({ address }) => wanted.has(address.toLowerCase())).map((each) => each.id)
  }
  const all = idsOf(to)
  // Resend lists every address of `to`, whichever of them it is about.
  if (type === 'email.delivered' || type === 'email.failed' || to.length === 1) return all
  const named = idsOf(addressesIn([bounce?.message ?? '', ...(bounce?.diagnosticCode ?? [])].join(' ')))
  return named.length > 0 ? named : null
}

const addressesIn = (text: string): string[] => text.match(/[\w.+=~-]+@[\w-]+(?:\.[\w-]+)+/g) ?? []

interface Unnamed {
  message: MessageRow
  state: (typeof states)[ResendReport['type']]
  response: string
  at: Date
}

/** In the activity only: suppressing all of them would stop emails to people who received it. */
async function noteUnnamed(tx: Database, { message, state, response, at }: Unnamed): Promise<void> {
  const known = and(
    eq(emailEvents.messageId, message.id),
    eq(emailEvents.type, state),
    sql`${emailEvents.address} IS NULL`,
  )
  if ((await tx.$count(emailEvents, known)) > 0) return
  await tx.insert(emailEvents).values({ id: newId(), messageId: message.id, type: state, at, response })
}
