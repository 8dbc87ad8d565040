import type { z } from 'zod'
import type { Database } from '../db.ts'
import type { PageOf } from '../paginate.ts'
import { wallTime } from '../time.ts'
import type { AuditEvent, AuditFilter } from './contract.ts'
import type { EntryFacts } from './describe.ts'
import { readAuditPage, type AuditRow } from './read.ts'

/** How a context puts entries in words. */
export interface EventWords {
  summaryOf(entry: EntryFacts): string
  objectNameOf(entry: EntryFacts): string | null
  principalNameOf(id: string): string | null
}

type StoredEvent = z.input<typeof AuditEvent>

/**
 * The newest first. `service`: only of operations of the service with this slug.
 * @throws {Problem} 422 for a cursor of another list
 */
export async function listEvents(
  db: Database,
  organizationId: string,
  filter: AuditFilter & { service?: string; limit: number; cursor?: string },
  findWords: (rows: readonly AuditRow[]) => Promise<EventWords>,
): Promise<PageOf<StoredEvent>> {
  const { items, nextCursor } = await readAuditPage(db, organizationId, { ...filter, ...timesOf(filter) })
  const words = await findWords(items)
  return { items: items.map((row) => eventOf(row, words)), nextCursor }
}

function eventOf(row: AuditRow, words: EventWords): StoredEvent {
  const entry = entryOf(row)
  const facts = { ...entry, refused: row.outcome === 'refused', principalId: row.principalId }
  return {
    ...entry,
    summary: words.summaryOf(facts),
    principal: entry.principal && { ...entry.principal, name: words.principalNameOf(entry.principal.id) },
    object: entry.object && { ...entry.object, name: words.objectNameOf(facts) },
  }
}

export const entryOf = (row: AuditRow) => ({
  ...row,
  principal: row.principalId && row.principalType ? { id: row.principalId, principalType: row.principalType } : null,
  credential: row.credentialKind && row.credentialId ? { kind: row.credentialKind, id: row.credentialId } : null,
  object: row.objectKind ? { kind: row.objectKind, id: row.objectId } : null,
})

/** The last day is included whole. */
export function timesOf({ from, to, timeZone = 'UTC' }: AuditFilter): { from: Date | undefined; to: Date | undefined } {
  const startOf = (day: Temporal.PlainDate) => wallTime(day.toPlainDateTime().toString(), timeZone)
  return {
    from: typeof from === 'string' ? startOf(Temporal.PlainDate.from(from)) : from,
    to: typeof to === 'string' ? startOf(Temporal.PlainDate.from(to).add({ days: 1 })) : to,
  }
}
