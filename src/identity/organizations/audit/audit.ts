import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { readAuditPage, streamAuditRows, type AuditFilter, type AuditRow } from '#lib/audit/read.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import type { PageOf } from '#lib/paginate.ts'
import { namesOf } from '../../accounts/accounts.ts'
import { AuditEntry, type AuditEvent } from '../../contract.ts'

const entryOf = (row: AuditRow) => ({
  ...row,
  principal: row.principalId && row.principalType ? { id: row.principalId, principalType: row.principalType } : null,
  credential: row.credentialKind && row.credentialId ? { kind: row.credentialKind, id: row.credentialId } : null,
  object: row.objectKind ? { kind: row.objectKind, id: row.objectId } : null,
})

/** @throws {Problem} 422 for a cursor of another list */
export async function list(
  db: Database,
  actor: Actor,
  filter: AuditFilter & { limit: number; cursor?: string },
): Promise<PageOf<z.input<typeof AuditEvent>>> {
  const { items, nextCursor } = await readAuditPage(db, organizationOf(actor), filter)
  const ids = [...new Set(items.flatMap(({ principalId }) => principalId ?? []))]
  const names = new Map((ids.length > 0 ? await namesOf(db, ids) : []).map(({ id, name }) => [id, name]))
  const events = items.map(entryOf).map((entry) => ({
    ...entry,
    principal: entry.principal && { ...entry.principal, name: names.get(entry.principal.id) ?? null },
  }))
  return { items: events, nextCursor }
}

/** NDJSON, oldest first. */
export function exportLines({ db, actor, now }: Call<unknown, Actor>, filter: AuditFilter): ReadableStream<Uint8Array> {
  const rows = streamAuditRows(db, organizationOf(actor), filter, now())
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
