import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { reply, type Reply, type ReplyOptions } from '#lib/reply.ts'
import { expectedVersions } from '#lib/request/if-match.ts'
import * as posts from './posts.ts'

export const addressOf = ({ id }: { id: string }): string => `/workspace/posts/${id}`

/** A post with its version as ETag, for `If-Match`. */
export const versioned = (post: posts.PostRow, options: ReplyOptions = {}): Reply<posts.PostRow> =>
  reply(200, post, { next: addressOf(post), ...options, headers: { ETag: `"${post.version}"` } })

/** Of several versions in `If-Match` the one that the post has. @throws {Problem} 404 and 422 */
export async function expecting<Input extends { version?: number }>(
  { input, request, actor, db }: Call<Input, Actor>,
  id: string,
): Promise<Input> {
  const versions = expectedVersions(request.headers)
  if (!versions) return input
  if (versions.length === 1) return { ...input, version: versions[0] }
  const { version } = await posts.get(db, actor, id)
  return { ...input, version: versions.includes(version) ? version : versions[0] }
}
