import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { and, asc, eq, gte, isNull, lte, ne, sql } from 'drizzle-orm'
import { z } from 'zod'
import { auditedByJob, audited } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { wasGivenUp } from '#lib/dead-letters.ts'
import { Id, newId } from '#lib/ids.ts'
import { job, type TypedJob } from '#lib/job.ts'
import { publicUrlOfJob } from '#lib/public-url.ts'
import type { Storage } from '#lib/storage.ts'
import type { TenantData } from '#lib/tenant-data.ts'
import { exportLetter } from '#views/emails/export.tsx'
import { exports } from '../schema.ts'
import { exportKey, isDownloadable, settleExport, type ExportRow } from './exports.ts'
import { publishExportChange } from './exports.topic.ts'
import { folderUnderWay, removeAbandoned } from './under-way.ts'
import { writeExport } from './write-export.ts'

const day = 24 * 60 * 60_000
/** Milliseconds for which a ready export can be downloaded. */
const exportLifetime = 7 * day
/** Attempts after which an export has failed. */
const attempts = 3
/** Seconds for one attempt. */
const maxSeconds = 6 * 60 * 60
const queuePrefix = 'platform.export-'

/** Of exports enqueued before tenants took turns, the tenant is not named. */
const Input = z.object({ id: Id, tenantId: Id.optional() })
export type ExportJob = TypedJob<z.output<typeof Input>>

/**
 * Builds the job that writes an export and mails its person. It exports the data of `services`, which run in this process:
 * services in other processes make their own exports.
 */
export const exportJob = (services: readonly string[], declared: readonly TenantData[]): ExportJob => {
  const name = `${queuePrefix}${services.join('-')}`
  return job({
    name,
    input: Input,
    concurrency: 3,
    perTenant: { of: ({ id, tenantId }) => tenantId ?? id, concurrency: 1 },
    retries: attempts - 1,
    maxSeconds,
    run: async ({ input: { id }, database, events, now, storage, config, mail }) => {
      const { db } = database
      const [row] = await db
        .update(exports)
        .set({ attempts: sql`${exports.attempts} + 1` })
        .where(and(eq(exports.id, id), eq(exports.state, 'running')))
        .returning()
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
        const settled = await auditedByJob(database, { operation: name, now }, async (tx) => {
          const end = { state: 'ready' as const, settledAt: now(), bytes, expiresAt }
          if (!(await settleExport({ db: tx, events }, id, end))) return false
          replaced = await expireOlder(tx, row, now())
          audited(tx, { object: 'export', id, before: { state: 'running' }, after: { state: 'ready' }, organizationId })
          const href = publicUrlOfJob('/settings/export', config)
          await mail.send(
            tx,
            recipient,
            exportLetter({ href, expiresAt, ofOrganization: organizationId !== null }),
            now(),
          )
          return true
        })
        // Its file has the same name when another attempt made it ready.
        if (!settled && !(await isDownloadable(db, id, now()))) await storage.delete(exportKey(id))
      } catch (error) {
        if (row.attempts >= attempts) await settleExport({ db, events }, id, { state: 'failed', settledAt: now() })
        throw error
      } finally {
        await rm(path, { force: true })
      }
      // What fails here is left to the sweep.
      for (const older of replaced) {
        await deleteExport(db, storage, older.id)
        await publishExportChange({ events }, db, older.requestedBy)
      }
    },
  })
}

const secondsBefore = (at: Date, seconds: number): Date => new Date(at.getTime() - seconds * 1000)

/** Ends the ready exports of the same tenant that a new one replaces, and returns them. */
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

/** Exports deleted in one run; the next one takes the rest. */
const batch = 500

/** Deletes expired exports with their files, and ends those whose last attempt a killed server made. */
export const sweepExports = job({
  name: 'platform.sweep-exports',
  input: z.object({}),
  run: async ({ database: { db }, events, now, storage, config }) => {
    await failKilled({ db, events }, now())
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

/** No code of a killed attempt has settled its export: the queue alone knows that there is no further one. */
async function failKilled(work: Pick<Call, 'db' | 'events'>, now: Date): Promise<void> {
  const lastAttempt = and(eq(exports.state, 'running'), gte(exports.attempts, attempts))
  const running = await work.db.select({ id: exports.id }).from(exports).where(lastAttempt)
  for (const { id } of running)
    if (await wasGivenUp(work.db, queuePrefix, id)) await settleExport(work, id, { state: 'failed', settledAt: now })
}
