import { z } from 'zod'
import { classifyFailure, readUsedUpWindow } from '../http.ts'
import type { Limits, Network, PublishCall, PublishOutcome, Removal, RemoveCall } from '../network.ts'
import { NotCreatedError } from '../not-created.ts'
import { createAuthorization, createTokenCalls, type OAuthNetwork } from '../oauth.ts'
import { interpretRefusal, request } from './api.ts'
import { countPost } from './count.ts'
import { prepare, readMediaIds } from './media.ts'
import { getAccount } from './profile.ts'
import { readBack } from './read-back.ts'
import { charactersFor, receiptOf } from './receipt.ts'

const oauth: OAuthNetwork = {
  provider: 'x',
  name: 'X',
  authorizeUrl: 'https://x.com/i/oauth2/authorize',
  scopes: ['tweet.read', 'tweet.write', 'users.read', 'media.write', 'offline.access'],
  pkce: true,
  revokes: 'access',
  getAccount,
}

const limits: Limits = {
  characters: 280,
  urlCharacters: 23,
  counting: 'weighted',
  media: 4,
  singleAnimation: true,
  videos: {
    types: ['video/mp4', 'video/quicktime'],
    codecs: ['h264'],
    bytes: 512 * 1024 * 1024,
    minDurationMs: 500,
    durationMs: 140_000,
  },
  images: { bytes: 5 * 1024 * 1024, types: ['image/jpeg', 'image/png', 'image/webp', 'image/gif'] },
}

/** X has no idempotency key, but the account's posts can be read. */
export const x: Network = {
  provider: 'x',
  name: 'X',
  note: 'Posts and threads.',
  limits,
  limitsOf: (metadata) => ({ ...limits, ...charactersFor(metadata) }),
  retrySafety: 'reconcile_only',
  connect: { by: 'authorize', authorization: createAuthorization(oauth), needsApp: true },
  count: countPost,
  postIdOf: (permalink) =>
    /^https:\/\/(?:www\.|mobile\.)?(?:x|twitter)\.com\/(?:\w+|i\/web)\/status\/(\d{1,20})(?:[/?#].*)?$/.exec(
      permalink,
    )?.[1] ?? null,
  prepare,
  publish,
  readBack,
  remove,
  ...createTokenCalls(oauth),
  // Without a check: X charges for each request that reads.
  scopes: oauth.scopes,
}

const Created = z.object({ data: z.object({ id: z.string().regex(/^\d{1,20}$/) }) })

async function publish(call: PublishCall): Promise<PublishOutcome> {
  try {
    const { account, text, replyTo } = call
    const media = readMediaIds(call.prepared)
    const response = await request(call, '/2/tweets', {
      method: 'POST',
      json: {
        text,
        ...(replyTo !== null && { reply: { in_reply_to_tweet_id: replyTo } }),
        ...(media.length > 0 && { media: { media_ids: media } }),
      },
    })
    if (!response.ok) return await interpretRefusal(response)
    const { id } = Created.parse(await response.json()).data
    return { kind: 'published', ...receiptOf(account, id), ...readUsedUpWindow(response.headers) }
  } catch (error) {
    return error instanceof NotCreatedError ? error.outcome : classifyFailure('X', error)
  }
}

async function remove(call: RemoveCall): Promise<Removal> {
  try {
    const response = await request(call, `/2/tweets/${encodeURIComponent(call.platformPostId)}`, { method: 'DELETE' })
    return response.ok || response.status === 404 ? { kind: 'removed' } : await interpretRefusal(response)
  } catch (error) {
    return classifyFailure('X', error)
  }
}
