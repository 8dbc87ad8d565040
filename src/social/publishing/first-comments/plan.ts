import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import type { Events } from '#lib/events.ts'
import { job } from '#lib/job.ts'
import { providersWithComments } from '../../contract.ts'
import { firstComments } from '../../schema.ts'
import type { Post } from '../attempt.ts'

/** On the transaction in which a post is published: its first comment, if it has one, is due at once. */
export async function planFirstComment(tx: Database, { events }: { events: Events }, post: Post): Promise<void> {
  const { id, brandId, provider, externalAccount, firstComment } = post
  if (!firstComment || post.status !== 'published') return
  const [planned] = await tx
    .insert(firstComments)
    .values({ id, brandId, provider, externalAccount: externalAccount ?? '', dueAt: sql`clock_timestamp()` })
    .onConflictDoNothing()
    .returning()
  if (planned?.dueAt) await events.publish(tx, 'social.due', { at: planned.dueAt.toISOString() })
}

/** Of posts that a server of a release without first comments published, during an update of several servers. */
export const planMissedComments = job({
  name: 'social.plan-missed-comments',
  input: z.object({}),
  retries: 0,
  uniqueBy: () => 'all',
  run: ({ database, events }) => database.transaction((tx) => planMissed(tx, events)),
})

const Planned = z.array(z.object({ at: z.coerce.date() }))

async function planMissed(tx: Database, events: Events): Promise<void> {
  const rows = await tx.execute(sql`
    insert into social.first_comments (id, brand_id, provider, external_account, due_at)
    select p.id, p.brand_id, p.provider, coalesce(p.external_account, ''), clock_timestamp() from social.posts p
    where p.status = 'published' and p.first_comment is not null and p.published_at > now() - interval '1 day'
      and p.first_comment <> '' and p.withdrawn_at is null
      and p.provider in (select jsonb_array_elements_text(${JSON.stringify(providersWithComments)}::jsonb))
      and not exists (select from social.first_comments c where c.id = p.id)
    on conflict do nothing returning due_at as at`)
  const [first] = Planned.parse([...rows])
  if (first) await events.publish(tx, 'social.due', { at: first.at.toISOString() })
}
