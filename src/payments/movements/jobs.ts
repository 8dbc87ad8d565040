import { and, asc, eq, lte } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import { Id } from '#lib/ids.ts'
import { job, type TypedJob } from '#lib/job.ts'
import type { Queue } from '#lib/queue.ts'
import { ledgerHeads, openMovements } from '../schema.ts'
import type { PaymentsWork } from '../work.ts'
import { ownAccountOf } from './account.ts'
import { checkOpenMovements } from './check-open.ts'
import { collectMovements } from './collect.ts'
import { updateSuspense } from './suspense.ts'

const Input = z.object({ organizationId: Id })

/** Brings the ledger of an organization to the balance of its own account at the provider. */
export const bookMovements: TypedJob<z.output<typeof Input>> = job({
  name: 'payments.book-movements',
  input: Input,
  concurrency: 3,
  uniqueBy: ({ organizationId }) => organizationId,
  run: async ({ input: { organizationId }, database, ...rest }) => {
    const work: PaymentsWork = { ...rest, db: database.db }
    const account = await ownAccountOf(work, organizationId)
    if (!account) {
      await postpone(work, organizationId)
      return
    }
    const hasMore = await collectMovements(work, account)
    await checkOpenMovements(work, account)
    await updateSuspense(work, organizationId)
    if (hasMore) await enqueueMovements(work.db, work, organizationId)
  },
})

export const enqueueMovements = (db: Database, { queue }: { queue: Queue }, organizationId: string): Promise<void> =>
  queue.enqueue(db, bookMovements, { organizationId })

const dayMs = 86_400_000

/** While its account isn’t its own. */
const postpone = ({ db, now }: PaymentsWork, organizationId: string) =>
  db
    .update(openMovements)
    .set({ dueAt: new Date(now().getTime() + dayMs) })
    .where(and(eq(openMovements.organizationId, organizationId), lte(openMovements.dueAt, now())))

const Sweep = z.object({})
const batch = 100

export const checkMovements = job({
  name: 'payments.check-movements',
  input: Sweep,
  retries: 0,
  run: async ({ database: { db }, queue, now }) => {
    const due = await db
      .selectDistinct({ organizationId: openMovements.organizationId })
      .from(openMovements)
      .where(lte(openMovements.dueAt, now()))
      .limit(batch)
    for (const { organizationId } of due) await enqueueMovements(db, { queue }, organizationId)
  },
})

/** Of all organizations whose money moved. */
export const readAllMovements = job({
  name: 'payments.read-all-movements',
  input: Sweep,
  uniqueBy: () => 'all',
  run: async ({ database: { db }, queue }) => {
    const all = await db
      .selectDistinct({ organizationId: ledgerHeads.organizationId })
      .from(ledgerHeads)
      .orderBy(asc(ledgerHeads.organizationId))
    for (const { organizationId } of all) await enqueueMovements(db, { queue }, organizationId)
  },
})
