import { AuditEntry, type AuditEvent, type AuditFilter } from '#lib/audit/contract.ts'
import { entryOf, listEvents, timesOf } from '#lib/audit/events.ts'
import { streamAuditRows, type AuditRow } from '#lib/audit/read.ts'
import type { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import type { PageOf } from '#lib/paginate.ts'
import { loadNames } from './names.ts'
import { describeEntry, objectName } from './sentence.ts'

/** @throws {Problem} 422 for a cursor of another list */
export async function list(
  db: Database,
  actor: Actor,
  filter: AuditFilter & { limit: number; cursor?: string },
): Promise<PageOf<z.input<typeof AuditEvent>>> {
  const organizationId = organizationOf(actor)
  return listEvents(db, organizationId, filter, async (rows) => {
    const names = await loadNames(db, organizationId, rows.flatMap(referencesIn))
    return {
      summaryOf: (entry) => describeEntry(entry, names),
      objectNameOf: (entry) => objectName(entry, names),
      principalNameOf: (id) => names.get(id) ?? null,
    }
  })
}

/** The IDs and slugs in an entry that have a name. */
const referencesIn = ({ principalId, objectId, before, after }: AuditRow): string[] =>
  [principalId, objectId, before?.['service'], after?.['service']].filter((each) => typeof each === 'string')

/** NDJSON, oldest first. */
export function exportLines({ db, actor, now }: Call<unknown, Actor>, filter: AuditFilter): ReadableStream<Uint8Array> {
  const rows = streamAuditRows(db, organizationOf(actor), { ...filter, ...timesOf(filter) }, now())
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
