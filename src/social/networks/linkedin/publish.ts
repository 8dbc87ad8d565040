import { z } from 'zod'
import { classifyFailure } from '../http.ts'
import type { PublishCall, PublishOutcome, Receipt, Removal, RemoveCall } from '../network.ts'
import { NotCreatedError } from '../not-created.ts'
import { interpretRefusal, request } from './api.ts'
import { toLittleText } from './little-text.ts'
import { contentOf } from './media.ts'

export const Urn = z.string().regex(/^urn:li:(share|ugcPost):\d{1,30}$/)
const Stored = z.object({ author: z.string().regex(/^urn:li:(person|organization):[\w-]+$/) })
export const authorOf = ({ account }: Pick<PublishCall, 'account'>): string => Stored.parse(account.metadata).author
export const receiptOf = (urn: string): Receipt => ({ platformPostId: urn, permalink: linkTo(urn) })
export const commentReceiptOf = (post: string, id: string, commentUrn: string): Receipt => ({
  platformPostId: `${post}/comments/${id}`,
  permalink: `${linkTo(post)}?${new URLSearchParams({ commentUrn })}`,
})
const linkTo = (urn: string): string => `https://www.linkedin.com/feed/update/${urn}`

export async function publish(call: PublishCall): Promise<PublishOutcome> {
  try {
    return call.replyTo === null ? await publishPost(call) : await publishComment(call, call.replyTo)
  } catch (error) {
    return error instanceof NotCreatedError ? error.outcome : classifyFailure('LinkedIn', error)
  }
}

async function publishPost(call: PublishCall): Promise<PublishOutcome> {
  const content = await contentOf(call)
  const response = await request(call, '/rest/posts', 'POST', {
    author: authorOf(call),
    commentary: toLittleText(call.text),
    visibility: 'PUBLIC',
    distribution: { feedDistribution: 'MAIN_FEED' },
    lifecycleState: 'PUBLISHED',
    ...(content && { content }),
  })
  if (!response.ok) return interpretRefusal(response)
  const urn = Urn.parse(response.headers.get('x-restli-id'))
  return { kind: 'published', ...receiptOf(urn) }
}

const Comment = z.object({ id: z.string().regex(/^\d{1,30}$/), commentUrn: z.string().max(200) })
/** The ID of a comment begins with its post, which later parts of the thread also comment on. */
export const postOf = (id: string): string => id.split('/')[0] ?? id

const refuse = (code: string, message: string): PublishOutcome => ({ kind: 'refused', code, message, transient: false })

/** LinkedIn has no threads: later parts are comments on the first. */
async function publishComment(call: PublishCall, replyTo: string): Promise<PublishOutcome> {
  const { text } = call
  const post = postOf(replyTo)
  const path = `/rest/socialActions/${encodeURIComponent(post)}/comments`
  const actor = authorOf(call)
  const response = await request(call, path, 'POST', { actor, object: post, message: { text } })
  if (response.status === 404)
    return refuse(
      'reply_target_missing',
      'The first post of the thread is no longer on LinkedIn. Remove this post from the thread.',
    )
  if (!response.ok) return interpretRefusal(response)
  const { id, commentUrn } = Comment.parse(await response.json())
  return { kind: 'published', ...commentReceiptOf(post, id, commentUrn) }
}

export async function remove(call: RemoveCall): Promise<Removal> {
  const [post = '', , comment] = call.platformPostId.split('/')
  const actor = authorOf(call)
  const path =
    comment === undefined
      ? `/rest/posts/${encodeURIComponent(post)}`
      : `/rest/socialActions/${encodeURIComponent(post)}/comments/${comment}?${new URLSearchParams({ actor })}`
  try {
    const response = await request(call, path, 'DELETE')
    return response.ok || response.status === 404 ? { kind: 'removed' } : await interpretRefusal(response)
  } catch (error) {
    return classifyFailure('LinkedIn', error)
  }
}
