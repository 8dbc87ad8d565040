import { recordChange } from '#lib/audit.ts'
import { type FieldError, invalid } from '#lib/errors.ts'
import type { ChangeCall } from '../change-call.ts'
import { chooseMediaOfPosts } from '../media/in-posts.ts'
import { enqueueCheck } from '../readiness/jobs.ts'
import { posts } from '../schema.ts'
import { requireNoApprovals } from '../review/gate.ts'
import { policyOf } from '../review/policy.ts'
import { announceRequests, asRequested } from '../review/request.ts'
import { writersOfNew } from '../review/review-status.ts'
import { validateForNetwork } from './checks.ts'
import { requireComposable, throwAny } from './composable.ts'
import type { PostDraft } from './input.ts'
import type { PlannedPost } from './plan.ts'
import { auditedFields, type PostRow } from './posts.ts'
import { publishPostChanges } from './transitions.ts'
import { discard } from './unsaved/unsaved-posts.ts'

export type Composed = PostRow | { threadId: string; items: PostRow[] } | { groupId: string; items: PostRow[] }

/** `writers` wrote what is copied. @throws {Problem} 403, 404 and 422 */
export async function compose(call: ChangeCall, draft: PostDraft, writers?: string[]): Promise<Composed> {
  const { brand, planned } = await requireComposable(call, draft)
  const media = await chooseMediaOfPosts(call.db, brand.id, planned)
  planned.forEach(({ row }, at) => (row.media = media[at]))
  requireLimitedSize(planned)
  if (draft.status === 'scheduled') {
    await requireAllPublishable(call, planned)
    requireNoApprovals(policyOf(brand.reviewPolicy))
  }
  const contentWriters = writersOfNew(call.actor, writers)
  const rows = planned.map(({ row }) => ({
    ...row,
    contentWriters,
    ...(draft.requestReview && asRequested(call.actor)),
  }))
  const made = await call.db.insert(posts).values(rows).returning()
  for (const post of made) recordChange(call.db, { object: 'post', id: post.id, after: auditedFields(post) })
  if (draft.requestReview) await announceRequests(call, made)
  await discard(call, draft.unsavedId)
  await publishPostChanges(call, made)
  for (const post of made) await enqueueCheck(call.db, call, post)
  return resultOf(made, draft)
}

/** Bytes of JSON for the contents of all posts of a submission. */
const maxBytes = 1_000_000

/** @throws {Problem} 422 for a large text that would be stored once per target */
function requireLimitedSize(planned: readonly PlannedPost[]): void {
  let bytes = 0
  for (const { row, paths } of planned) {
    bytes += Buffer.byteLength(
      JSON.stringify([row.text, row.media, row.firstComment, row.linkPreview, row.tags, row.target, row.youtube]),
    )
    if (bytes <= maxBytes) continue
    const message = `The posts of one request can have at most ${maxBytes / 1_000_000} MB of text together. Send fewer targets or less text.`
    throw invalid([{ path: paths.text, message }])
  }
}

async function requireAllPublishable(call: ChangeCall, planned: readonly PlannedPost[]): Promise<void> {
  const errors: FieldError[] = []
  for (const { row, paths } of planned) errors.push(...(await validateForNetwork(call, row, paths)))
  throwAny(errors)
}

function resultOf(made: PostRow[], draft: PostDraft): Composed {
  const [first] = made
  if (!first) throw new Error('A request created no post')
  if (draft.targets && first.groupId) return { groupId: first.groupId, items: made }
  if (first.threadId) return { threadId: first.threadId, items: made }
  return first
}
