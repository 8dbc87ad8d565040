import { Problem, conflict, invalid } from '#lib/errors.ts'
import type { ChangeCall } from '../change-call.ts'
import { networkOf } from '../networks/index.ts'
import { lockTogether, requestReview } from '../review/request.ts'
import { edit } from './changes.ts'
import type { PostEdit } from './input.ts'
import { lockPost, type PostRow } from './posts.ts'

/**
 * Edits a post and, with `also`, others of its submission in the same way, except what belongs to one account or network.
 * With `requestReview`, their review is then requested.
 * @throws {Problem} as `edit` and `requestReview`, 422 with the path in `also`, and 409 `other_post_conflict` for a post of `also`
 */
export async function editTogether(
  call: ChangeCall,
  { requestReview: isRequested, ...input }: PostEdit,
): Promise<PostRow> {
  if (!isRequested) return editAll(call, input)
  await lockTogether(call, input.id)
  await editAll(call, input)
  return requestReview(call, input.id)
}

async function editAll(call: ChangeCall, { also = [], ...input }: PostEdit): Promise<PostRow> {
  if (also.length === 0) return edit(call, input)
  requireDistinct(input.id, also)
  // In the order of the IDs, so that two requests with the same posts don't wait for each other.
  const ids = [input.id, ...also.map(({ id }) => id)].toSorted()
  const held = new Map<string, PostRow>()
  for (const id of ids) held.set(id, await lockPost(call.db, call.actor, id))
  const before = held.get(input.id)
  for (const [at, { id }] of also.entries())
    if (!isCounterpart(before, held.get(id))) throw invalid([{ path: `also.${at}.id`, message: notTogether }])
  const saved = await edit(call, input)
  const { text, media, tags, campaign, status, timeZone } = input
  const scheduledAt = input.scheduledAt === 'next-slot' ? (saved.scheduledAt ?? undefined) : input.scheduledAt
  const shared = { text, media, tags, campaign, status, scheduledAt, timeZone }
  for (const [at, { id, version }] of also.entries())
    await naming(at, held.get(id), () => edit(call, { ...shared, id, version }))
  return saved
}

function requireDistinct(id: string, also: NonNullable<PostEdit['also']>): void {
  const known = new Set([id])
  for (const [at, other] of also.entries()) {
    if (known.has(other.id)) throw invalid([{ path: `also.${at}.id`, message: 'Name each post once.' }])
    known.add(other.id)
  }
}

const notTogether = 'This post isn’t a counterpart of the edited one in its submission. Send another request for it.'

/** Of a thread, the post at the same place. */
const isCounterpart = (one: PostRow | undefined, other: PostRow | undefined): boolean =>
  one !== undefined &&
  other !== undefined &&
  one.groupId !== null &&
  one.groupId === other.groupId &&
  one.brandId === other.brandId &&
  one.position === other.position

/** Runs an edit of the post at `also[at]` whose refusal names it. */
async function naming(at: number, post: PostRow | undefined, run: () => Promise<PostRow>): Promise<PostRow> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const place = (post && networkOf(post.provider)?.name) ?? 'another network'
    if (error.status === 409 && error.code === 'version_conflict')
      throw conflict(
        'other_post_conflict',
        `The post on ${place} was changed after you opened it. Reload and try again.`,
      )
    if (error.status === 409) throw new Problem(409, error.code, `On ${place}: ${error.message}`, error.options)
    if (error.status !== 422) throw error
    const messages = error.options.errors?.map(({ message }) => message) ?? [error.message]
    throw invalid(messages.map((message) => ({ path: `also.${at}.id`, message: `On ${place}: ${message}` })))
  }
}
