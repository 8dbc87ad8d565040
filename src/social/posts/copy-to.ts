import { asc, eq } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { invalid } from '#lib/errors.ts'
import { requireNetworkAccess } from '../access.ts'
import type { ChangeCall } from '../change-call.ts'
import { listCorrectors } from '../corrections/corrected.ts'
import { withFileCopies } from '../media/copies/copy-files.ts'
import { takesLinkPreviews } from '../networks/link-previews.ts'
import { writersOf } from '../review/review-status.ts'
import { posts } from '../schema.ts'
import { requireComposable } from './composable.ts'
import { type Composed, compose } from './compose.ts'
import { maxPosts, type PostCopy, type PostDraft, tooManyPosts } from './input.ts'
import { takesComments } from './plan.ts'
import { get, type PostRow } from './posts.ts'

/** Whether the copies are other posts than one at the same place. */
export const isElsewhere = ({ brandId, targets, thread, media }: PostCopy): boolean =>
  brandId !== undefined || targets !== undefined || thread === true || !media

/**
 * Copies a post to other accounts or another brand, as drafts with its first comment, link preview, tags and campaign. Files
 * for another brand are copied to its library before.
 * @throws {Problem} 404 for a post or brand that the caller can't write to, 422 for accounts of other brands, for too many
 *   copies and for two at one place, and as `withFileCopies`
 */
export async function copyTo(call: Call<PostCopy, Actor>): Promise<Composed> {
  const { db, actor, input } = call
  const post = await get(db, actor, input.id)
  requireNetworkAccess(actor, post.provider)
  const parts = input.thread && post.threadId ? await readThread(call, post.threadId) : [post]
  if (parts.length * (input.targets?.length ?? 1) > maxPosts)
    throw invalid([{ path: 'targets', message: tooManyPosts }])
  const { brandId = post.brandId } = input
  const draft = draftOf(parts, { ...input, brandId })
  await requireComposable(call, draft)
  const ids =
    brandId === post.brandId || !input.media ? [] : parts.flatMap(({ media }) => media.map(({ mediaId }) => mediaId))
  return withFileCopies(call, { brandId, ids, path: 'media' }, async (tx, copies) => {
    const ofCopies = parts.map((part) => ({
      ...part,
      media: part.media.map((file) => ({ ...file, mediaId: copies.get(file.mediaId)?.id ?? file.mediaId })),
    }))
    const correctors = await listCorrectors(
      tx,
      parts.map(({ id }) => id),
    )
    const writers = [...new Set([...parts.flatMap(writersOf), ...correctors])]
    return compose({ ...call, db: tx }, draftOf(ofCopies, { ...input, brandId }), writers)
  })
}

const readThread = ({ db }: ChangeCall, threadId: string): Promise<PostRow[]> =>
  db.select().from(posts).where(eq(posts.threadId, threadId)).orderBy(asc(posts.position))

function draftOf(parts: readonly PostRow[], { brandId, targets, media }: PostCopy & { brandId: string }): PostDraft {
  const [head] = parts
  if (!head) throw new Error('A copied thread has no posts')
  const { provider, target, firstComment, linkPreview, tags, campaign, youtube, timeZone } = head
  // An account of one brand is none of another.
  const same = { provider, target: brandId === head.brandId && target ? target : undefined }
  const destinations = targets ?? [same]
  const texts = parts.map((part) => ({ text: part.text, media: media ? part.media : [] }))
  return {
    brandId,
    targets: destinations,
    ...(texts.length > 1 ? { thread: texts } : texts[0]),
    firstComment: destinations.some((each) => takesComments(each, { youtube })) ? firstComment : undefined,
    linkPreview: destinations.some(takesLinkPreviews) ? linkPreview : undefined,
    youtube: destinations.some((each) => each.provider === 'youtube') ? youtube : undefined,
    tags,
    campaign,
    timeZone: timeZone ?? undefined,
    status: 'draft',
  }
}
