import { and, eq } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { newId } from '#lib/ids.ts'
import { emitWebhook } from '#lib/outgoing-webhooks/emit.ts'
import { sanitizeText, truncate } from '#lib/text.ts'
import type { EmailEventType, RecipientState } from '../contract/email.ts'
import type { Delivery, NotDelivered, RecipientResult } from '../email-transports/transport.ts'
import { emailEvents, emailMessages, emailRecipients } from '../schema.ts'
import { pauseIfBouncing } from './bounces.ts'
import { updateDeadLetterAction } from './dead-letter-action.ts'
import { mailBounced, mailComplained, mailDelivered, mailFailed, mailSent } from './events.ts'
import type { EmailWork, MessageRow, RecipientRow } from './rows.ts'
import { suppress } from './suppressions.ts'

export interface Outcome {
  message: MessageRow
  /** Those that were still open. */
  recipients: readonly RecipientRow[]
  /** ID of the event. */
  attempt: string
  provider: string
  delivery: Delivery | null
  failure: NotDelivered | null
}

export type OutcomeWork = Pick<EmailWork, 'queue' | 'events' | 'now' | 'plan'>
type ReportWork = Omit<OutcomeWork, 'plan'>

/** Seconds until each further attempt, 16 hours together. */
const retryDelays = [5, 15, 60, 300, 900, 1_800, 3_600, 7_200, 14_400, 28_800] as const

interface Settled {
  state: RecipientResult['state'] | 'failed'
  response: string
  /** Not only about the recipient. */
  isAboutMessage?: true
}

const maxResponse = 1_000

/** Of a server that organizations can choose: the database accepts neither NUL characters nor texts of any length. */
export const storableResponse = (text: string): string => truncate(sanitizeText(text), maxResponse)

/** Stores what became of an attempt, and plans the next one for recipients that are still open. */
export async function storeOutcome(tx: Database, work: OutcomeWork, outcome: Outcome): Promise<void> {
  const { message, recipients, attempt, provider, delivery, failure } = outcome
  const at = work.now()
  const mine = and(eq(emailMessages.id, message.id), eq(emailMessages.leaseOwner, message.leaseOwner ?? ''))
  const [held] = await tx.select({ id: emailMessages.id }).from(emailMessages).where(mine).for('update')
  // Another server has taken over; what this one did is in its attempt.
  await tx
    .update(emailEvents)
    .set({
      endedAt: at,
      outcome: failure?.outcome ?? summaryOf(delivery),
      server: delivery?.server ?? failure?.server ?? null,
      encryption: delivery?.encryption ?? null,
      response: storableResponse(delivery?.response ?? failure?.message ?? ''),
    })
    .where(eq(emailEvents.id, attempt))
  if (!held) return
  const delay = retryDelays[message.attempts - 1]
  const results = recipients.map((recipient) => ({
    recipient,
    result: resultFor(recipient, outcome, delay === undefined),
  }))
  for (const { recipient, result } of results) await settleRecipient(tx, work, message, recipient, result, at)
  const isOpen = results.some(({ result }) => result.state === 'deferred')
  const nextAttemptAt = isOpen && delay !== undefined ? new Date(at.getTime() + delay * 1000) : null
  await tx
    .update(emailMessages)
    .set({
      provider,
      leaseUntil: null,
      leaseOwner: null,
      nextAttemptAt,
      ...(delivery?.providerMessageId && { providerMessageId: storableResponse(delivery.providerMessageId) }),
      ...(nextAttemptAt === null && settledFields(message, at)),
    })
    .where(mine)
  if (nextAttemptAt !== null) await work.plan(tx, message, nextAttemptAt)
  if (results.some(({ result }) => result.state === 'bounced')) await pauseIfBouncing(tx, work, message)
  if (results.some(({ result }) => result.state === 'failed')) await updateDeadLetterAction(tx, message.organizationId)
}

/** The links of a system email are no longer needed. */
export const settledFields = ({ system }: Pick<MessageRow, 'system'>, at: Date) =>
  ({ state: 'settled', settledAt: at, nextAttemptAt: null, ...(system && { sealedContent: null }) }) as const

function summaryOf(delivery: Delivery | null): RecipientResult['state'] | null {
  const states = [...(delivery?.results.values() ?? [])].map(({ state }) => state)
  return (['sent', 'deferred', 'bounced'] as const).find((state) => states.includes(state)) ?? null
}

function resultFor({ address }: RecipientRow, { delivery, failure }: Outcome, isLast: boolean): Settled {
  const given: Settled = delivery?.results.get(address) ?? resultOfFailure(failure)
  const result = { ...given, response: storableResponse(given.response) }
  if (result.state === 'deferred' && isLast) return { ...result, state: 'failed' }
  return result
}

/** An unknown outcome is tried again: receivers drop duplicates by Message-ID, and a lost email can’t be found. */
const resultOfFailure = (failure: NotDelivered | null): Settled => ({
  state: finalOutcomes.find((outcome) => outcome === failure?.outcome) ?? 'deferred',
  response: failure?.message ?? '',
  isAboutMessage: true,
})

const finalOutcomes = ['bounced', 'failed'] as const

async function settleRecipient(
  tx: Database,
  work: ReportWork,
  message: MessageRow,
  recipient: RecipientRow,
  { state, response, isAboutMessage }: Settled,
  at: Date,
): Promise<void> {
  await tx
    .update(emailRecipients)
    .set({ state, response, ...(state !== 'deferred' && { settledAt: at }) })
    .where(eq(emailRecipients.id, recipient.id))
  await reportRecipient(tx, work, {
    message,
    address: recipient.address,
    state,
    response,
    at,
    suppresses: !isAboutMessage && isAboutAddress(response),
  })
}

export interface RecipientReport {
  message: Pick<MessageRow, 'id' | 'organizationId' | 'senderId' | 'subject' | 'applicationId' | 'system'>
  address: string
  state: Extract<RecipientState, EmailEventType>
  response: string
  at: Date
  /** Whether a bounce means that the address can’t receive emails. */
  suppresses: boolean
}

const webhookOf = {
  sent: mailSent,
  delivered: mailDelivered,
  bounced: mailBounced,
  complained: mailComplained,
  failed: mailFailed,
} as const

/** In the activity, as a webhook event, and in the suppressed addresses. */
export async function reportRecipient(tx: Database, work: ReportWork, report: RecipientReport): Promise<void> {
  const { message, address, state, response, at, suppresses } = report
  const { id, organizationId, senderId, subject, applicationId, system } = message
  await tx.insert(emailEvents).values({ id: newId(), messageId: id, type: state, address, at, response })
  if (organizationId === null || system) return
  if (state === 'complained' || (state === 'bounced' && suppresses))
    await suppress(tx, {
      organizationId,
      address,
      reason: state === 'bounced' ? 'bounce' : 'complaint',
      detail: response,
      messageId: id,
      at,
    })
  if (state === 'deferred' || state === 'suppressed' || state === 'dropped') return
  await emitWebhook(tx, work, {
    organizationId,
    event: webhookOf[state],
    data: { id, recipient: address, subject, senderId, applicationId, response },
  })
}

/** Not a full mailbox or the content: by the enhanced code where there is one (RFC 3463). */
function isAboutAddress(response: string): boolean {
  const [, code, enhanced] = /^(\d{3})?[ -]?(?:(\d\.\d{1,3}\.\d{1,3})\b)?/.exec(response) ?? []
  if (enhanced !== undefined) return enhanced.startsWith('5.1.')
  return code === undefined || ['550', '551', '553'].includes(code)
}
