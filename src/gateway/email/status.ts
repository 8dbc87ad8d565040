import { eq } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import type { EmailReceipt, MessageState, RecipientState } from '../contract/email.ts'
import { emailRecipients } from '../schema.ts'

/** Of a message and its recipients. */
export function statusFrom(state: MessageState, recipients: readonly RecipientState[]): EmailReceipt['status'] {
  if (state !== 'settled') return state
  return recipients.every((each) => each === 'sent' || each === 'delivered') ? 'sent' : 'failed'
}

export async function statusOf(
  db: Database,
  { id, state }: { id: string; state: MessageState },
): Promise<EmailReceipt['status']> {
  if (state !== 'settled') return state
  const rows = await db
    .select({ state: emailRecipients.state })
    .from(emailRecipients)
    .where(eq(emailRecipients.messageId, id))
  return statusFrom(
    state,
    rows.map((row) => row.state),
  )
}
