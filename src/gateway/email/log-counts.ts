import { and, count, desc, eq, inArray, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import { RecipientState, statesOfStatus, type MailLog } from '../contract/email.ts'
import { emailMessages, emailRecipients } from '../schema.ts'
import { isAbout, isAmong, type LogFilter } from './log-filter.ts'

/** Counts stop here, which means more than 1,000. */
const maxCount = 1_001
/** The newest recipients that are read to test what no index has. */
const maxRead = 10_000

/** By tab, and in all. */
export async function countMails(db: Database, organizationId: string, filter: LogFilter): Promise<MailLog['counts']> {
  const isFiltered = Object.values(filter).some((value) => value !== undefined && value !== '')
  const counted = isFiltered ? await countRead(db, organizationId, filter) : await countStates(db, organizationId)
  const countOf = (states: readonly RecipientState[]) =>
    Math.min(
      maxCount,
      states.reduce((sum, state) => sum + (counted.get(state) ?? 0), 0),
    )
  return {
    all: countOf(RecipientState.options),
    delivered: countOf(statesOfStatus.delivered),
    queued: countOf(statesOfStatus.queued),
    bounced: countOf(statesOfStatus.bounced),
    suppressed: countOf(statesOfStatus.suppressed),
  }
}

type Counted = ReadonlyMap<RecipientState, number>

const Row = z.object({ state: RecipientState, count: z.int() })

/** With the index of the states. */
async function countStates(db: Database, organizationId: string): Promise<Counted> {
  const rows = await db.execute(sql`
    SELECT state, (SELECT count(*)::int FROM (
      SELECT 1 FROM gateway.email_recipients AS recipient
      WHERE organization_id = ${organizationId} AND recipient.state = states.state LIMIT ${maxCount}) AS first) AS count
    FROM unnest(${sql.param(RecipientState.options)}::text[]) AS states (state)`)
  return new Map(rows.map((row) => Row.parse(row)).map((row) => [row.state, row.count]))
}

async function countRead(db: Database, organizationId: string, filter: LogFilter): Promise<Counted> {
  const newest = db
    .select({ id: emailRecipients.id })
    .from(emailRecipients)
    .where(isAmong(organizationId, filter))
    .orderBy(desc(emailRecipients.id))
    .limit(maxRead)
  const rows = await db
    .select({ state: emailRecipients.state, count: count() })
    .from(emailRecipients)
    .innerJoin(emailMessages, eq(emailMessages.id, emailRecipients.messageId))
    .where(and(inArray(emailRecipients.id, newest), isAbout(filter)))
    .groupBy(emailRecipients.state)
  return new Map(rows.map((row) => [row.state, row.count]))
}
