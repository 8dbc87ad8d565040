import { z } from 'zod'
import { publishContainer } from '../graph/publish.ts'
import { checkQuota } from '../graph/quota.ts'
import { createComments } from '../graph/comments.ts'
import { mediaTypeOf, readContainerBack } from '../graph/read-back.ts'
import { apiVersion } from '../graph/version.ts'
import type { Limits, Network, NetworkCall, PublishCall, PublishOutcome, ReadBack } from '../network.ts'
import { createAuthorization, createTokenCalls, type OAuthNetwork } from '../oauth.ts'
import { api } from './api.ts'
import { prepare } from './container.ts'
import { getAccount } from './profile.ts'

const commentScope = 'instagram_business_manage_comments'

const oauth: OAuthNetwork = {
  provider: 'instagram',
  name: api.name,
  authorizeUrl: 'https://www.instagram.com/oauth/authorize',
  scopes: ['instagram_business_basic', 'instagram_business_content_publish'],
  commentScope,
  pkce: false,
  getAccount,
}

const megabyte = 1_000_000

const limits: Limits = {
  characters: 2200,
  counting: 'utf16',
  hashtags: 30,
  mentions: 20,
  media: 10,
  replies: null,
  firstComment: { characters: 300 },
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

const StoredAccount = z.object({ username: z.string() })

const usernameOf = ({ account }: NetworkCall): string => StoredAccount.parse(account.metadata).username

const publish = (call: PublishCall): Promise<PublishOutcome> =>
  publishContainer(api, call, {
    path: '/me/media_publish',
    profileUrl: `https://www.instagram.com/${usernameOf(call)}/`,
  })

/** Instagram has no idempotency key, but a container is published at most once, and the account’s posts can be read. */
export const instagram: Network = {
  provider: 'instagram',
  name: api.name,
  note: 'Professional accounts.',
  places: ['accountId'],
  limits,
  retrySafety: 'reconcile_only',
  connect: { by: 'authorize', authorization: createAuthorization(oauth), needsApp: true },
  count: (text) => text.length,
  // Links have a code of their own, from which the ID doesn’t follow.
  postIdOf: () => null,
  prepare,
  preparesText: true,
  publish,
  readBack,
  firstComments: createComments(api, {
    scope: commentScope,
    query: { fields: 'id,text,username' },
    authorOf: ({ username }) => username,
    selfOf: usernameOf,
  }),
  ...createTokenCalls(oauth),
  refreshAheadMs: 10 * 24 * 60 * 60_000,
  scopes: oauth.scopes,
  apiVersion,
  checkAccount: (call) => checkQuota(api, call, '/me/content_publishing_limit'),
}

function readBack(call: PublishCall): Promise<ReadBack> {
  const mediaType = mediaTypeOf(call.media)
  const listing = {
    path: '/me/media',
    fields: 'id,caption,media_type,permalink,timestamp',
    isSame: ({ caption = '', media_type: type = '' }) => caption.trim() === call.text.trim() && type === mediaType,
  }
  return readContainerBack(api, call, { field: 'status_code', listing })
}
