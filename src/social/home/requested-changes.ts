import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { readPermissions } from '../access.ts'
import { addNames } from '../posts/present.ts'
import { listSentBack } from '../review/feed.ts'
import { personOf } from '../review/present.ts'
import { namesOf } from '../review/read.ts'
import { listOpen } from '../review/review-status.ts'

type ReadCall = Pick<Call<unknown, Actor>, 'db' | 'actor' | 'identity' | 'now' | 'signal'>

/** Posts that were sent back, each with the last request; null for who can't change posts. */
export async function listRequestedChanges(call: ReadCall, filter: { brandId: string; limit: number }) {
  const can = await readPermissions(call)
  if (!can('posts:write', filter.brandId)) return null
  const rows = await listSentBack(call.db, call.actor, filter)
  if (rows.length === 0) return []
  const open = await listOpen(
    call.db,
    rows.map(({ id }) => id),
  )
  const requests = open.filter(({ decision }) => decision === 'request_changes')
  const [posts, names] = await Promise.all([addNames(call, rows, can), namesOf(call, requests)])
  return posts.flatMap((post) => {
    const last = requests.findLast(({ postId }) => postId === post.id)
    return last ? [{ post, by: personOf(last, names), comment: last.comment, at: last.createdAt }] : []
  })
}
