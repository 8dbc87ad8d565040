import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import { claimDue } from '#lib/db/due.ts'
import { forEachSettled } from '#lib/each.ts'
import { newId } from '#lib/ids.ts'
import { job, type TypedJob } from '#lib/job.ts'
import { logFault } from '#lib/log/fault.ts'
import type { Queue } from '#lib/queue.ts'
import { settlementItems } from '../schema.ts'
import type { PaymentsWork } from '../work.ts'
import { advanceItem } from './advance-item.ts'
import { keepLeased } from './keep-leased.ts'

/** Jobs that work items at once, on all servers together, and the items that each claims and works at a time. */
const maxLanes = 8
const laneSize = 10
const laneConcurrency = 5
/** Of one claim and organization, so that a batch of thousands leaves room for others. */
const fairShare = 4
/** After this a lane ends its job and begins another, which shows others that it lives. */
const maxLaneMs = 120_000

const Lane = z.object({ lane: z.int() })

/** Sends and checks items that are due. Leases keep servers apart, and end by themselves when a server is lost. */
export const workItems: TypedJob<z.output<typeof Lane>> = job({
  name: 'payments.work-settlement-items',
  input: Lane,
  concurrency: 2,
  uniqueBy: ({ lane }) => String(lane),
  run: async ({ input, database, ...rest }) => {
    const work: PaymentsWork = { ...rest, db: database.db }
    const owner = newId()
    const until = performance.now() + maxLaneMs
    while (performance.now() < until) {
      const claimed = await claimItems(work, owner)
      if (claimed.length === 0) return
      const advance = ({ id }: { id: string }) =>
        advanceItem(work, id, owner).catch((error: unknown) =>
          // Its lease ends by itself, and it is tried again then.
          logFault(work.log, 'a settlement item', error, { item: id }),
        )
      const ids = claimed.map(({ id }) => id)
      await keepLeased(work, { owner, ids }, () => forEachSettled(claimed, advance, laneConcurrency))
    }
    await work.queue.enqueue(work.db, workItems, input)
  },
})

const candidates = sql`
  SELECT ranked.id FROM (
    SELECT due.id, row_number() OVER (PARTITION BY due.organization_id ORDER BY due.due_at, due.id) AS place
    FROM payments.settlement_items AS due WHERE due.due_at <= now()
  ) AS ranked WHERE ranked.place <= ${fairShare}`

const claimItems = ({ db, config }: PaymentsWork, owner: string): Promise<{ id: string }[]> =>
  claimDue(db, {
    table: settlementItems,
    row: z.object({ id: z.string() }),
    candidates,
    owner,
    leaseMs: config.SETTLEMENT_LEASE_MS,
    limit: laneSize,
  })

/** On the transaction that makes `count` items due. */
export async function enqueueWork(tx: Database, { queue }: { queue: Queue }, count: number): Promise<void> {
  const lanes = Math.min(maxLanes, Math.ceil(count / laneSize))
  for (let lane = 0; lane < lanes; lane += 1) await queue.enqueue(tx, workItems, { lane })
}
