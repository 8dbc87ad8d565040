import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Call } from '#lib/call.ts'
import { databaseTime, type Database } from '#lib/db.ts'
import { Id } from '#lib/ids.ts'
import { job, type JobDependencies } from '#lib/job.ts'
import { Provider } from '../contract.ts'
import { enqueueActions } from '../raised/update-actions.ts'
import { checkPosts } from './check-posts.ts'

/** A post that is due sooner needs no check: it would be too late to act. */
const leastAheadMs = 2 * 60_000
const batchSize = 500

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

/** An hour before posts are due, and each minute those with problems, which can be solved in the meantime. */
export const checkDuePosts = job({
  name: 'social.check-due-posts',
  input: z.object({}),
  retries: 0,
  maxSeconds: 10 * 60,
  uniqueBy: () => 'all',
  run: async (work) => {
    const started = await databaseTime(work.database.db)
    await checkAll(
      work,
      true,
      () => sql`
      select p.id from social.posts p left join social.post_checks k on k.post_id = p.id
      where p.status = 'scheduled' and p.due_at <= now() + interval '1 hour' and p.scheduled_at > now()
        and k.checked_for is distinct from p.scheduled_at
      order by p.due_at limit ${batchSize}`,
    )
    await checkAll(
      work,
      false,
      () => sql`
      select k.post_id as id from social.post_checks k
      where k.state = 'problem' and k.checked_at < ${started.toISOString()}::timestamptz
      order by k.checked_at limit ${batchSize}`,
    )
  },
})

const Ids = z.array(z.object({ id: z.string() }))

async function checkAll(work: JobDependencies, isFinal: boolean, next: () => ReturnType<typeof sql>): Promise<void> {
  for (;;) {
    const ids = Ids.parse([...(await work.database.db.execute(next()))]).map(({ id }) => id)
    if (ids.length > 0) await checkPosts(work, { ids, isFinal })
    if (ids.length < batchSize) return
  }
}
