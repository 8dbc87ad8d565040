import { z } from 'zod'
import { checkBy, works } from '../account-check.ts'
import { classifyFailure } from '../http.ts'
import type {
  AccountCheck,
  Limits,
  Network,
  NetworkCall,
  PublishCall,
  PublishOutcome,
  Removal,
  RemoveCall,
} from '../network.ts'
import { NotCreatedError } from '../not-created.ts'
import { corrections } from './corrections.ts'
import { countStatus } from './count.ts'
import { parseMetadata } from './instance.ts'
import { authorization, renew, revoke } from './oauth.ts'
import { readBack, receiptOf } from './read-back.ts'
import { interpretRefusal } from './refusal.ts'
import { request, Status, StatusId, uploadMedia } from './status.ts'

/** What instances take when their owners changed nothing. */
const images: Limits['images'] = {
  bytes: 16 * 1024 * 1024,
  types: ['image/jpeg', 'image/png', 'image/webp', 'image/gif'],
}

/**
 * Any server with Mastodon’s API. Where it knows `Idempotency-Key`, a status isn't created again for an hour; Pixelfed and GoToSocial
 * don’t, and are read before anything is sent again.
 */
export const mastodon: Network = {
  provider: 'mastodon',
  name: 'Mastodon',
  note: 'Works with any Mastodon server.',
  limits: { characters: 500, media: 4, urlCharacters: 23, images },
  limitsOf: (metadata) => ({ ...parseMetadata(metadata).limits, images }),
  retrySafety: 'idempotent',
  connect: { by: 'authorize', authorization },
  count: countStatus,
  postIdOf: parseStatusId,
  publish,
  readBack,
  remove,
  corrections,
  renew,
  revoke,
  checkAccount,
}

function checkAccount(call: NetworkCall): Promise<AccountCheck> {
  return checkBy({
    ask: () => request(call, '/api/v1/accounts/verify_credentials'),
    interpretRefusal,
    data: z.unknown(),
    read: () => works,
  })
}

/** Below an account's URL: a status, unless it is one of the account's own pages. */
const statusUrl =
  /^https?:\/\/[^/]+\/(?:@[^/]+(?:\/statuses)?|users\/[^/]+\/statuses|web\/statuses|notice|p\/[^/]+)\/([^/?#]+)\/?(?:[?#].*)?$/
const accountPages = new Set(['statuses', 'with_replies', 'media', 'followers', 'following', 'tagged', 'featured'])

/** The ID in a status's URL of Mastodon, Pleroma, GoToSocial or Pixelfed; null for any other URL. */
function parseStatusId(permalink: string): string | null {
  const id = StatusId.safeParse(statusUrl.exec(permalink)?.[1])
  return id.success && !accountPages.has(id.data) ? id.data : null
}

async function publish(call: PublishCall): Promise<PublishOutcome> {
  try {
    const { text, key, replyTo } = call
    const media = await uploadMedia(call)
    const response = await request(call, '/api/v1/statuses', {
      method: 'POST',
      headers: { 'idempotency-key': key },
      json: {
        status: text,
        ...(media.length > 0 && { media_ids: media }),
        ...(replyTo !== null && { in_reply_to_id: replyTo }),
      },
    })
    if (!response.ok) return await interpretPostRefusal(response, replyTo !== null)
    return { kind: 'published', ...receiptOf(call, Status.parse(await response.json())) }
  } catch (error) {
    return error instanceof NotCreatedError ? error.outcome : classifyFailure('Mastodon', error)
  }
}

async function interpretPostRefusal(response: Response, isReply: boolean): Promise<PublishOutcome> {
  if (response.status !== 404 || !isReply) return interpretRefusal(response)
  const message = 'The previous post of the thread is no longer on Mastodon. Remove this post from the thread.'
  return { kind: 'refused', code: 'reply_target_missing', message, transient: false }
}

async function remove(call: RemoveCall): Promise<Removal> {
  try {
    const response = await request(call, `/api/v1/statuses/${encodeURIComponent(call.platformPostId)}`, {
      method: 'DELETE',
    })
    return response.ok || response.status === 404 ? { kind: 'removed' } : await interpretRefusal(response)
  } catch (error) {
    return classifyFailure('Mastodon', error)
  }
}
