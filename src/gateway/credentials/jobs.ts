import { and, asc, eq, lte } from 'drizzle-orm'
import { z } from 'zod'
import { transact } from '#lib/db.ts'
import { job, type JobDependencies } from '#lib/job.ts'
import { providerCredentials as table } from '../schema.ts'
import { raiseDroppedKey } from './actions.ts'
import { checkCredential } from './check.ts'
import { isCheckable } from './checks.ts'
import type { CredentialRow } from './credentials.ts'
import { replaceOldKey } from './proof.ts'

const concurrency = 10

/** Daily: whether each provider still accepts our keys (GTW-03). */
export const checkCredentials = job({
  name: 'gateway.check-credentials',
  input: z.object({}),
  run: async (work) => {
    const stored = await work.database.db.select().from(table).orderBy(asc(table.id))
    const rows = stored.filter(({ provider }) => isCheckable(provider))
    for (let from = 0; from < rows.length; from += concurrency)
      await Promise.all(rows.slice(from, from + concurrency).map((row) => checkOne(work, row)))
  },
})

async function checkOne(work: JobDependencies, row: CredentialRow): Promise<void> {
  const { db } = work.database
  await checkCredential({ ...work, db, signal: new AbortController().signal }, row)
}

/** A new key replaces the old one when its time is over, and is deleted when its provider rejected it. */
export const finishRotations = job({
  name: 'gateway.finish-rotations',
  input: z.object({}),
  run: async ({ database: { db }, now, upstreams }) => {
    const due = await db
      .select()
      .from(table)
      .where(and(eq(table.status, 'incoming'), lte(table.rotationEndsAt, now())))
    for (const row of due)
      await transact(db, async (tx) => {
        if (row.health === 'unhealthy') await dropNewKey(tx, row)
        else await replaceOldKey(tx, row.id, now())
        await upstreams.forgetCredentials(tx)
      })
  },
})

async function dropNewKey(tx: JobDependencies['database']['db'], row: CredentialRow): Promise<void> {
  const { id } = row
  await tx.delete(table).where(and(eq(table.id, id), eq(table.status, 'incoming')))
  await raiseDroppedKey(tx, row)
}
