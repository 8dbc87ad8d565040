import { and, asc, eq, gt, inArray, isNull, sql } from 'drizzle-orm'
import { newId } from '#lib/ids.ts'
import { logFault } from '#lib/log/fault.ts'
import { callWithCredential } from '../credentials/use.ts'
import { findRoute, openTransport, type Route } from '../email-transports/choose.ts'
import { NotDelivered, type Delivery, type OutgoingEmail } from '../email-transports/transport.ts'
import { emailEvents, emailRecipients } from '../schema.ts'
import { activeKey } from '../senders/dkim-keys.ts'
import { platformSender } from '../senders/platform-sender.ts'
import type { OwnedSender } from '../senders/senders.ts'
import { openContent } from './content.ts'
import { messageIdOf } from './message-id.ts'
import { storableResponse, type Outcome } from './outcome.ts'
import type { EmailWork, MessageRow, RecipientRow } from './rows.ts'

/** Milliseconds, less than the lease of the email. */
const maxAttemptMs = 120_000

/** Ends those that a killed server left: after `dataAt`, the mail server may have accepted the email. */
export async function beginAttempt({ database: { db }, now }: EmailWork, { id }: MessageRow): Promise<string> {
  await db
    .update(emailEvents)
    .set({
      endedAt: now(),
      outcome: sql`CASE WHEN ${emailEvents.dataAt} IS NULL THEN 'interrupted' ELSE 'unknown' END`,
      response: 'The server that sent it was stopped.',
    })
    .where(and(eq(emailEvents.messageId, id), eq(emailEvents.type, 'attempt'), isNull(emailEvents.endedAt)))
  const attempt = newId()
  await db.insert(emailEvents).values({ id: attempt, messageId: id, type: 'attempt', at: now() })
  return attempt
}

interface Attempt {
  message: MessageRow
  recipients: readonly RecipientRow[]
  owned: OwnedSender | null
  attempt: string
}

type AttemptResult = Pick<Outcome, 'delivery' | 'failure' | 'provider'>

export async function attemptDelivery(
  work: EmailWork,
  { message, recipients, owned, attempt }: Attempt,
): Promise<AttemptResult> {
  const { db } = work.database
  const kind = owned?.domain.kind ?? 'platform'
  let provider = message.provider
  try {
    const route = await findRoute({ ...work, db }, { organizationId: message.organizationId, kind, test: message.test })
    if (route.provider !== 'mailbox') requireSender(work, message, owned)
    const email = await outgoingOf(work, message, recipients, owned)
    const progress = { signal: AbortSignal.timeout(maxAttemptMs), beginData: () => markData(work, message, attempt) }
    const sendWith = (credential: Route['credential']): Promise<Delivery> => {
      const transport = openTransport({ ...work, db }, { ...route, credential })
      provider = transport.provider
      return transport.send(email, progress)
    }
    const delivery = await (route.credential
      ? callWithCredential({ ...work, db }, route.credential, { attempt: sendWith, rejectionOf })
      : sendWith(null))
    return { delivery, failure: null, provider }
  } catch (error) {
    if (error instanceof NotDelivered) return { delivery: null, failure: error, provider }
    logFault(work.log, 'sending an email', error, { message: message.id })
    return {
      delivery: null,
      failure: new NotDelivered('deferred', 'An internal error occurred.', { cause: error }),
      provider,
    }
  }
}

const rejectionOf = (error: unknown): string | null =>
  error instanceof NotDelivered && error.rejectsCredential
    ? `${error.server ?? 'The mail server'} rejected the credential: ${storableResponse(error.message)}`
    : null

/** @throws {NotDelivered} for a sender that was deleted, or whose domain is no longer verified */
function requireSender(
  { config }: EmailWork,
  { senderId, organizationId, system }: MessageRow,
  owned: OwnedSender | null,
): void {
  // That of the platform can have another address since.
  if (organizationId === null || system || senderId === platformSender(config).id) return
  if (!owned) throw new NotDelivered('failed', 'The sender was deleted.')
  if (owned.domain.verifiedAt === null)
    throw new NotDelivered('deferred', `${owned.domain.domain} is no longer verified. Check its DNS records.`)
}

/** Before any content is sent, and only while no other server has taken over. */
async function markData(
  { database: { db }, now }: EmailWork,
  { id, leaseOwner }: MessageRow,
  attempt: string,
): Promise<void> {
  const [held] = await db.execute(sql`
    WITH held AS (
      SELECT id FROM gateway.email_messages WHERE id = ${id} AND lease_owner = ${leaseOwner} AND lease_until > now()
    )
    UPDATE gateway.email_events SET data_at = ${now().toISOString()} WHERE id = ${attempt} AND EXISTS (SELECT FROM held)
    RETURNING id`)
  if (!held) throw new NotDelivered('deferred', 'Another server has taken over.')
}

async function outgoingOf(
  { database: { db }, secrets }: EmailWork,
  message: MessageRow,
  open: readonly RecipientRow[],
  owned: OwnedSender | null,
): Promise<OutgoingEmail> {
  const { id, fromAddress, fromName, replyTo, subject, createdAt, sealedContent } = message
  if (sealedContent === null) throw new NotDelivered('failed', 'The content was deleted.')
  const { text, html, attachments, headers } = openContent(secrets, id, sealedContent)
  const all = await db
    .select({ address: emailRecipients.address, field: emailRecipients.field, state: emailRecipients.state })
    .from(emailRecipients)
    .where(eq(emailRecipients.messageId, id))
    .orderBy(asc(emailRecipients.id))
  // With the same key, the provider accepts only the same recipients.
  const changes = await db.$count(
    emailEvents,
    and(
      eq(emailEvents.messageId, id),
      inArray(emailEvents.type, ['failed', 'suppressed']),
      gt(emailEvents.at, createdAt),
    ),
  )
  const named = all.filter(({ state }) => state !== 'suppressed')
  const of = (field: RecipientRow['field']) =>
    named.filter((each) => each.field === field).map(({ address }) => address)
  return {
    id,
    idempotencyKey: changes === 0 ? id : `${id}/${changes}`,
    messageId: messageIdOf(message),
    date: createdAt,
    from: { name: fromName, address: fromAddress },
    replyTo,
    to: of('to'),
    cc: of('cc'),
    recipients: open.map(({ address }) => address),
    subject,
    text,
    html,
    attachments: attachments.map(({ name, type, content }) => ({
      name,
      type,
      content: Buffer.from(content, 'base64'),
    })),
    headers,
    dkim: owned && activeKey(secrets, owned.domain),
  }
}
