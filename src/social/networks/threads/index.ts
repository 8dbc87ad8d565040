import { z } from 'zod'
import { publishContainer } from '../graph/publish.ts'
import { checkQuota } from '../graph/quota.ts'
import type { Limits, Network, PublishCall, PublishOutcome } from '../network.ts'
import { createAuthorization, createTokenCalls, type OAuthNetwork } from '../oauth.ts'
import { api, scopes } from './api.ts'
import { prepare } from './container.ts'
import { countPost } from './count.ts'
import { getAccount } from './profile.ts'
import { readBack } from './read-back.ts'

const oauth: OAuthNetwork = {
  provider: 'threads',
  name: api.name,
  authorizeUrl: 'https://www.threads.net/oauth/authorize',
  scopes,
  pkce: false,
  getAccount,
}

const mebibyte = 1024 * 1024

const limits: Limits = {
  characters: 500,
  counting: 'emoji_bytes',
  media: 20,
  images: { bytes: 8 * mebibyte, types: ['image/jpeg', 'image/png'] },
  videos: {
    types: ['video/mp4', 'video/quicktime'],
    codecs: ['h264', 'hevc'],
    bytes: 1024 * mebibyte,
    durationMs: 5 * 60_000,
    mixed: true,
  },
}

const StoredAccount = z.object({ username: z.string() })

const publish = (call: PublishCall): Promise<PublishOutcome> =>
  publishContainer(api, call, {
    path: '/me/threads_publish',
    profileUrl: `https://www.threads.net/@${StoredAccount.parse(call.account.metadata).username}`,
  })

/** Threads has no idempotency key, but a container is published at most once, and the account's posts can be read. */
export const threads: Network = {
  provider: 'threads',
  name: api.name,
  note: 'Posts and reply chains.',
  places: ['threadAccountId'],
  limits,
  retrySafety: 'reconcile_only',
  connect: { by: 'authorize', authorization: createAuthorization(oauth), needsApp: true },
  count: countPost,
  // Links have a code of their own, from which the ID doesn’t follow.
  postIdOf: () => null,
  prepare,
  preparesText: true,
  publish,
  readBack,
  ...createTokenCalls(oauth),
  refreshAheadMs: 10 * 24 * 60 * 60_000,
  scopes,
  checkAccount: (call) => checkQuota(api, call, '/me/threads_publishing_limit'),
}
