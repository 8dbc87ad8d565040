import { and, desc, eq, sql } from 'drizzle-orm'
import { transact, type Database } from '#lib/db.ts'
import { listCauses, raiseAction, resolveAction } from '#lib/raised-actions.ts'
import type { ActionButton } from '#lib/schema.ts'
import { counted } from '#lib/text.ts'
import { deadLetterKind } from '../notification-kinds.ts'
import { emailMessages, emailRecipients as table } from '../schema.ts'

const prefix = 'gateway.dead-letters:'
const href = '/gateway/dead-letters'
/** Beyond it the number isn't exact. */
const maxCounted = 1_000

/** One action for all emails of the organization that failed in all attempts. On the transaction of a change. */
export async function updateDeadLetterAction(tx: Database, organizationId: string | null): Promise<void> {
  if (organizationId === null) return
  const cause = `${prefix}${organizationId}`
  // Of two changes at a time the later one counts both.
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${cause}, 0))`)
  const letters = await tx
    .select({ id: table.id, address: table.address, subject: emailMessages.subject, response: table.response })
    .from(table)
    .innerJoin(emailMessages, eq(emailMessages.id, table.messageId))
    .where(and(eq(table.organizationId, organizationId), eq(table.state, 'failed')))
    .orderBy(desc(table.id))
    .limit(maxCounted)
  const [newest, ...others] = letters
  if (!newest) return resolveAction(tx, cause)
  const count = letters.length < maxCounted ? counted(letters.length, 'email') : 'More than 1,000 emails'
  await raiseAction(tx, {
    kind: deadLetterKind,
    organizationId,
    cause,
    href,
    title: others.length === 0 ? `An email to ${newest.address} failed` : `${count} failed in all attempts`,
    reason: [
      others.length === 0 ? `“${newest.subject}” wasn’t sent in any attempt.` : `The last one is “${newest.subject}”.`,
      newest.response ?? '',
    ]
      .join(' ')
      .trim(),
    actions: others.length === 0 ? buttonsOf(newest.id) : [{ label: 'Review', method: 'GET', href, style: 'primary' }],
  })
}

const buttonsOf = (id: string): ActionButton[] => [
  { label: 'Retry', method: 'POST', href: `/api/dead-letters/${id}/retry`, style: 'primary' },
  { label: 'Discard', method: 'DELETE', href: `/api/dead-letters/${id}` },
  { label: 'See the email', method: 'GET', href },
]

/** After emails were deleted when their retention was over. */
export async function updateDeadLetterActions(db: Database): Promise<void> {
  for (const cause of await listCauses(db, prefix))
    await transact(db, (tx) => updateDeadLetterAction(tx, cause.slice(prefix.length)))
}
