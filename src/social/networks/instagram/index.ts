import { z } from 'zod'
import { publishContainer } from '../graph/publish.ts'
import { mediaTypeOf, readRecent } from '../graph/read-back.ts'
import type { Limits, Network, PublishCall, PublishOutcome, ReadBack, Removal } from '../network.ts'
import { createAuthorization, createTokenCalls, type OAuthNetwork } from '../oauth.ts'
import { api } from './api.ts'
import { prepareContainer } from './container.ts'
import { getAccount } from './profile.ts'

const oauth: OAuthNetwork = {
  provider: 'instagram',
  name: api.name,
  authorizeUrl: 'https://www.instagram.com/oauth/authorize',
  scopes: ['instagram_business_basic', 'instagram_business_content_publish'],
  pkce: false,
  callsBack: true,
  getAccount,
}

const megabyte = 1_000_000

const limits: Limits = {
  characters: 2200,
  counting: 'utf16',
  media: 10,
  needsMedia: true,
  images: { bytes: 8 * 1024 * 1024, types: ['image/jpeg'], aspect: { min: 0.8, max: 1.91 } },
  videos: {
    types: ['video/mp4', 'video/quicktime'],
    codecs: ['h264', 'hevc'],
    bytes: 300 * megabyte,
    minDurationMs: 3_000,
    durationMs: 15 * 60_000,
    mixed: true,
  },
}

/** Instagram has no idempotency key, but a container is published at most once, and the account’s posts can be read. */
export const instagram: Network = {
  provider: 'instagram',
  name: api.name,
  note: 'Professional accounts.',
  limits,
  retrySafety: 'reconcile_only',
  connect: { by: 'authorize', authorization: createAuthorization(oauth), needsApp: true },
  count: (text) => text.length,
  // Links have a code of their own, from which the ID doesn’t follow.
  postIdOf: () => null,
  publish,
  readBack,
  remove,
  ...createTokenCalls(oauth),
  refreshAheadMs: 10 * 24 * 60 * 60_000,
}

const StoredAccount = z.object({ username: z.string() })

async function publish(call: PublishCall): Promise<PublishOutcome> {
  if (call.replyTo !== null)
    return {
      kind: 'refused',
      code: 'threads_not_supported',
      message: 'Instagram has no threads. Detach this post from the thread, then retry.',
      transient: false,
    }
  return publishContainer(api, call, {
    path: '/me/media_publish',
    prepare: prepareContainer,
    profileUrl: `https://www.instagram.com/${StoredAccount.parse(call.account.metadata).username}/`,
  })
}

function readBack(call: PublishCall): Promise<ReadBack> {
  const mediaType = mediaTypeOf(call.media)
  return readRecent(api, call, {
    path: '/me/media',
    fields: 'id,caption,media_type,permalink,timestamp',
    isSame: ({ caption = '', media_type: type }) => caption.trim() === call.text.trim() && type === mediaType,
  })
}

async function remove(): Promise<Removal> {
  return {
    kind: 'refused',
    code: 'provider_refused',
    message: 'Instagram doesn’t let apps delete posts. Delete it in the Instagram app.',
    transient: false,
  }
}
