import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { readAuditPage, streamAuditRows, type AuditRow } from '#lib/audit/read.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import type { PageOf } from '#lib/paginate.ts'
import { AuditEntry, type AuditEvent, type AuditFilter } from '../../contract.ts'
import { loadNames } from './names.ts'
import { describeEntry, objectName } from './sentence.ts'

const entryOf = (row: AuditRow) => ({
  ...row,
  principal: row.principalId && row.principalType ? { id: row.principalId, principalType: row.principalType } : null,
  credential: row.credentialKind && row.credentialId ? { kind: row.credentialKind, id: row.credentialId } : null,
  object: row.objectKind ? { kind: row.objectKind, id: row.objectId } : null,
})

/** The last day is included whole. */
function rangeOf({ from, to, timeZone = 'UTC' }: AuditFilter): { from: Date | undefined; to: Date | undefined } {
  const startOf = (day: Temporal.PlainDate) => new Date(day.toZonedDateTime(timeZone).epochMilliseconds)
  return {
    from: typeof from === 'string' ? startOf(Temporal.PlainDate.from(from)) : from,
    to: typeof to === 'string' ? startOf(Temporal.PlainDate.from(to).add({ days: 1 })) : to,
  }
}

/** @throws {Problem} 422 for a cursor of another list */
export async function list(
  db: Database,
  actor: Actor,
  filter: AuditFilter & { limit: number; cursor?: string },
): Promise<PageOf<z.input<typeof AuditEvent>>> {
  const { items, nextCursor } = await readAuditPage(db, organizationOf(actor), { ...filter, ...rangeOf(filter) })
  const names = await loadNames(db, organizationOf(actor), items.flatMap(referencesIn))
  return { items: items.map((row) => eventOf(row, names)), nextCursor }
}

/** The IDs and slugs in an entry that have a name. */
const referencesIn = ({ principalId, objectId, before, after }: AuditRow): string[] =>
  [principalId, objectId, before?.['service'], after?.['service']].filter((each) => typeof each === 'string')

function eventOf(row: AuditRow, names: ReadonlyMap<string, string>): z.input<typeof AuditEvent> {
  const entry = entryOf(row)
  const facts = { ...entry, refused: row.outcome === 'refused', principalId: row.principalId }
  return {
    ...entry,
    summary: describeEntry(facts, names),
    principal: entry.principal && { ...entry.principal, name: names.get(entry.principal.id) ?? null },
    object: entry.object && { ...entry.object, name: objectName(facts, names) },
  }
}

/** NDJSON, oldest first. */
export function exportLines({ db, actor, now }: Call<unknown, Actor>, filter: AuditFilter): ReadableStream<Uint8Array> {
  const rows = streamAuditRows(db, organizationOf(actor), { ...filter, ...rangeOf(filter) }, now())
  const text = new TextEncoder()
  return new ReadableStream({
    pull: async (controller) => {
      const { value, done } = await rows.next()
      if (done) return controller.close()
      controller.enqueue(text.encode(value.map((row) => `${JSON.stringify(lineOf(row))}\n`).join('')))
    },
    cancel: async () => void (await rows.return(undefined)),
  })
}

const lineOf = (row: AuditRow): z.output<typeof AuditEntry> => AuditEntry.parse(entryOf(row))
