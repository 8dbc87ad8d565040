import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { asc, eq, lte, sql } from 'drizzle-orm'
import { z } from 'zod'
import { auditedByJob, audited } from '#lib/audit.ts'
import { Id, newId } from '#lib/ids.ts'
import { job, type TypedJob } from '#lib/job.ts'
import { publicUrlOfJob } from '#lib/public-url.ts'
import type { TenantData } from '#lib/tenant-data.ts'
import { exportLetter } from '#views/emails/export.tsx'
import { exports } from '../schema.ts'
import { exportKey, settleExport } from './exports.ts'
import { writeExport } from './write-export.ts'

const day = 24 * 60 * 60_000
/** Milliseconds for which a ready export can be downloaded. */
const exportLifetime = 7 * day
/** Attempts after which an export has failed. */
const attempts = 3

/**
 * Builds the job that writes an export and mails its person. It exports the data of `services`, which run in this process:
 * services in other processes make their own exports.
 */
export const exportJob = (services: readonly string[], declared: readonly TenantData[]): TypedJob<{ id: string }> => {
  const name = `platform.export-${services.join('-')}`
  return job({
    name,
    input: z.object({ id: Id }),
    retries: attempts - 1,
    maxSeconds: 6 * 60 * 60,
    run: async ({ input: { id }, database, events, now, storage, config, mail }) => {
      const { db } = database
      const [row] = await db
        .update(exports)
        .set({ attempts: sql`${exports.attempts} + 1` })
        .where(eq(exports.id, id))
        .returning()
      if (row?.state !== 'running') return
      const { organizationId, requestedBy, recipient } = row
      const path = join(config.DATA_DIR, 'exports-under-way', `${newId()}.zip`)
      try {
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
        if (!settled) await storage.delete(exportKey(id))
      } catch (error) {
        if (row.attempts >= attempts) await settleExport({ db, events }, id, { state: 'failed', settledAt: now() })
        throw error
      } finally {
        await rm(path, { force: true })
      }
    },
  })
}

/** Exports deleted in one run; the next one takes the rest. */
const batch = 500

/** Deletes expired exports and their files. */
export const sweepExports = job({
  name: 'platform.sweep-exports',
  input: z.object({}),
  run: async ({ database: { db }, now, storage }) => {
    const due = await db
      .select({ id: exports.id })
      .from(exports)
      .where(lte(exports.expiresAt, now()))
      .orderBy(asc(exports.expiresAt))
      .limit(batch)
    for (const { id } of due) {
      await storage.delete(exportKey(id))
      await db.delete(exports).where(eq(exports.id, id))
    }
  },
})
