import { sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import type { Events } from '#lib/events.ts'
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
