import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { and, asc, eq, isNull, lte, ne } from 'drizzle-orm'
import { z } from 'zod'
import { removeAbandoned } from '#lib/abandoned-files.ts'
import { auditedJobTransaction, recordChange } from '#lib/audit.ts'
import type { Database } from '#lib/db.ts'
import { Id, newId } from '#lib/ids.ts'
import { job } from '#lib/job.ts'
import { publicUrlOfJob } from '#lib/public-url.ts'
import type { Storage } from '#lib/storage.ts'
import type { TenantData } from '#lib/tenant-data.ts'
import { exportLetter } from '#views/emails/export.tsx'
import { exports } from '../schema.ts'
import { countExportMail, exportKey, isDownloadable, settleExport, type ExportJob, type ExportRow } from './exports.ts'
import { publishExportChange } from './exports.topic.ts'
import { folderUnderWay } from './under-way.ts'
import { writeExport } from './write-export.ts'

const day = 24 * 60 * 60_000
const exportLifetime = 7 * day
/** Attempts after the first: over 21 to 43 minutes, as long as an object storage can be away. */
const retries = 8
const maxSeconds = 6 * 60 * 60

/** Exports enqueued before tenants took turns name no tenant. */
const Input = z.object({ id: Id, tenantId: Id.optional() })

/** Only data of the services in this process: others make their own exports. */
export const exportJob = (services: readonly string[], declared: readonly TenantData[]): ExportJob => {
  const name = `platform.export-${services.join('-')}`
  return job({
    name,
    input: Input,
    concurrency: 3,
    perTenant: { of: ({ id, tenantId }) => tenantId ?? id, concurrency: 1 },
    retries,
    maxSeconds,
    run: async ({ input: { id }, database, events, now, storage, config, mail }) => {
      const { db } = database
      const [row] = await db
        .select()
        .from(exports)
        .where(and(eq(exports.id, id), eq(exports.state, 'running')))
      if (!row) return
      const { organizationId, requestedBy, recipient } = row
      const folder = folderUnderWay(config)
      const path = join(folder, `${newId()}.zip`)
      let replaced: Pick<ExportRow, 'id' | 'requestedBy'>[] = []
      try {
        await removeAbandoned(folder, secondsBefore(now(), maxSeconds))
        await writeExport({
          database,
          storage,
          declared,
          path,
          at: now(),
          ...(organizationId
            ? { tenant: 'organization' as const, id: organizationId }
            : { tenant: 'person' as const, id: requestedBy }),
        })
        const bytes = Bun.file(path).size
        await storage.putFile(exportKey(id), path, 'application/zip')
        const expiresAt = new Date(now().getTime() + exportLifetime)
        const settled = await auditedJobTransaction(database, { operation: name, now }, async (tx) => {
          const end = { state: 'ready' as const, settledAt: now(), bytes, expiresAt }
          if (!(await settleExport({ db: tx, events }, id, end))) return false
          replaced = await expireOlder(tx, row, now())
          recordChange(tx, {
            object: 'export',
            id,
            before: { state: 'running' },
            after: { state: 'ready' },
            organizationId,
          })
          const href = publicUrlOfJob('/settings/export', config)
          const letter = exportLetter({ href, expiresAt, ofOrganization: organizationId !== null })
          if (await countExportMail(tx, recipient)) await mail.send(tx, recipient, letter, now())
          return true
        })
        // Its file has the same name when another attempt made it ready.
        if (!settled && !(await isDownloadable(db, id, now()))) await storage.delete(exportKey(id))
      } finally {
        await rm(path, { force: true })
      }
      // The sweep deletes what fails here.
      for (const older of replaced) {
        await deleteExport(db, storage, older.id)
        await publishExportChange({ events }, db, older.requestedBy)
      }
    },
    onRetriesExhausted: async ({ input: { id }, database: { db }, events, now }) =>
      void (await settleExport({ db, events }, id, { state: 'failed', settledAt: now() })),
  })
}

const secondsBefore = (at: Date, seconds: number): Date => new Date(at.getTime() - seconds * 1000)

function expireOlder(tx: Database, { id, organizationId, requestedBy }: ExportRow, now: Date) {
  const sameTenant = organizationId
    ? eq(exports.organizationId, organizationId)
    : and(isNull(exports.organizationId), eq(exports.requestedBy, requestedBy))
  return tx
    .update(exports)
    .set({ expiresAt: now })
    .where(and(sameTenant, eq(exports.state, 'ready'), ne(exports.id, id)))
    .returning({ id: exports.id, requestedBy: exports.requestedBy })
}

async function deleteExport(db: Database, storage: Storage, id: string): Promise<void> {
  await storage.delete(exportKey(id))
  await db.delete(exports).where(eq(exports.id, id))
}

/** Per run; the next one takes the rest. */
const batch = 500

export const sweepExports = job({
  name: 'platform.sweep-exports',
  input: z.object({}),
  run: async ({ database: { db }, now, storage, config }) => {
    const due = await db
      .select({ id: exports.id })
      .from(exports)
      .where(lte(exports.expiresAt, now()))
      .orderBy(asc(exports.expiresAt))
      .limit(batch)
    for (const { id } of due) await deleteExport(db, storage, id)
    await removeAbandoned(folderUnderWay(config), secondsBefore(now(), maxSeconds))
  },
})
