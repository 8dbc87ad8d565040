import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Call } from '#lib/call.ts'
import { databaseTime, type Database } from '#lib/db.ts'
import { Id } from '#lib/ids.ts'
import { job, type JobDependencies } from '#lib/job.ts'
import { logFault } from '#lib/log/fault.ts'
import { Provider } from '../contract.ts'
import { enqueueActions } from '../raised/update-actions.ts'
import { checkPosts } from './check-posts.ts'

/** A post that is due sooner needs no check: it would be too late to act. */
const leastAheadMs = 2 * 60_000
const batchSize = 50
/** Posts with problems that are checked again in one run. */
const maxAgain = 2_000

const Input = z.object({ postId: Id, brandId: Id, provider: Provider })

/** After a change of a scheduled post. */
export const checkPost = job({
  name: 'social.check-post',
  input: Input,
  concurrency: 2,
  run: async (work) => {
    const { postId } = work.input
    const scheduled = await checkPosts(work, { ids: [postId], isFinal: false })
    // The check of a deleted post was deleted with it.
    if (scheduled === 0) await work.database.transaction((tx) => enqueueActions(tx, work, work.input))
  },
})

interface Changed {
  id: string
  brandId: string
  provider: Provider
  status: string
  scheduledAt: Date | null
}

/** On the transaction that schedules, changes or unschedules a post. `before`: null for a new one. */
export async function enqueueCheck(
  db: Database,
  { queue, now }: Pick<Call, 'queue' | 'now'>,
  { id: postId, brandId, provider, status, scheduledAt }: Changed,
  before: Pick<Changed, 'status'> | null = null,
): Promise<void> {
  const isAhead = scheduledAt !== null && scheduledAt.getTime() > now().getTime() + leastAheadMs
  const isChecked = status === 'scheduled' ? isAhead : before?.status === 'scheduled'
  if (isChecked) await queue.enqueue(db, checkPost, { postId, brandId, provider })
}

/**
 * An hour before posts are due. Those with problems, which can be solved in the meantime, again each minute, and each
 * hour those that are due later than in a day.
 */
export const checkDuePosts = job({
  name: 'social.check-due-posts',
  input: z.object({}),
  retries: 0,
  maxSeconds: 10 * 60,
  uniqueBy: () => 'all',
  run: async (work) => {
    const started = await databaseTime(work.database.db)
    for (let isMore = true; isMore;) {
      const ids = await readIds(work.database.db, listDue)
      isMore = (await checkBatch(work, { ids, isFinal: true })) && ids.length === batchSize
    }
    const again = await readIds(work.database.db, listAgain(started))
    for (let at = 0; at < again.length; at += batchSize)
      await checkBatch(work, { ids: again.slice(at, at + batchSize), isFinal: false })
  },
})

const listDue = sql`
  select p.id from social.posts p left join social.post_checks k on k.post_id = p.id
  where p.status = 'scheduled' and p.due_at <= now() + interval '1 hour' and p.scheduled_at > now()
    and k.checked_for is distinct from p.scheduled_at
  order by p.due_at limit ${batchSize}`

/** A few of each brand first, so that one with very many doesn’t delay the others. */
const listAgain = (before: Date) => sql`
  select id from (
    select k.post_id as id, k.checked_at,
      row_number() over (partition by k.brand_id order by k.checked_at) as place
    from social.post_checks k join social.posts p on p.id = k.post_id
    where k.state = 'problem' and k.checked_at < ${before.toISOString()}::timestamptz
      and (p.status <> 'scheduled' or p.scheduled_at < now() + interval '1 day'
        or k.checked_at < now() - interval '1 hour')
  ) due order by place, checked_at limit ${maxAgain}`

const Ids = z.array(z.object({ id: z.string() }))

const readIds = async (db: Database, query: ReturnType<typeof sql>): Promise<string[]> =>
  Ids.parse([...(await db.execute(query))]).map(({ id }) => id)

/** When one of the posts can’t be checked, the others are checked alone. @returns whether all were checked */
async function checkBatch(work: JobDependencies, batch: { ids: string[]; isFinal: boolean }): Promise<boolean> {
  if (batch.ids.length === 0) return true
  try {
    await checkPosts(work, batch)
    return true
  } catch (error) {
    logFault(work.log, 'checking scheduled posts failed', error)
    for (const id of batch.ids)
      await checkPosts(work, { ...batch, ids: [id] }).catch((cause: unknown) =>
        logFault(work.log, 'checking a scheduled post failed', cause, { post: id }),
      )
    return false
  }
}
