import { and, asc, eq, lte } from 'drizzle-orm'
import { z } from 'zod'
import { transact } from '#lib/db.ts'
import { job, type JobDependencies } from '#lib/job.ts'
import { raiseAction, resolveAction } from '#lib/raised-actions.ts'
import { providerCredentials as table } from '../schema.ts'
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
  const { error } = await checkCredential({ ...work, db, signal: new AbortController().signal }, row)
  const { organizationId, provider } = row
  if (organizationId === null) return
  const cause = causeOf(row)
  await transact(db, (tx) =>
    error === null
      ? resolveAction(tx, cause)
      : raiseAction(tx, {
          organizationId,
          cause,
          href: '/gateway/credentials',
          actions: [],
          title: `The key of ${provider} doesn’t work`,
          reason: `${error} Calls to it fail until you rotate the key.`,
        }),
  )
}

const causeOf = ({ organizationId, provider, mode }: CredentialRow): string =>
  `credential:${organizationId}:${provider}:${mode}`

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
  const { id, organizationId, provider, lastFour, lastError } = row
  await tx.delete(table).where(and(eq(table.id, id), eq(table.status, 'incoming')))
  if (organizationId === null) return
  await raiseAction(tx, {
    organizationId,
    cause: causeOf(row),
    href: '/gateway/credentials',
    actions: [],
    title: `The new key of ${provider} was not put into use`,
    reason: `The old key is still used, since the key that ends in ${lastFour} failed. ${lastError ?? ''}`.trim(),
  })
}
