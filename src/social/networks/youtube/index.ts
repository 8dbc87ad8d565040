import { judgeRefusal, works } from '../account-check.ts'
import type { AccountCheck, CallWithVideo, Limits, Network } from '../network.ts'
import { createAuthorization, createTokenCalls, type OAuthNetwork } from '../oauth.ts'
import { getAccount } from './channel.ts'
import { commentScope, firstComments } from './comments.ts'
import { interpretProblem, name, userOf } from './gateway.ts'
import { corrections, remove } from './corrections.ts'
import { checkPublished } from './processing.ts'
import { readBack } from './read-back.ts'
import { prepare, publish } from './upload.ts'
import { limits as words } from './words.ts'

const oauth: OAuthNetwork = {
  provider: 'youtube',
  name,
  authorizeUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
  scopes: ['https://www.googleapis.com/auth/youtube.upload', 'https://www.googleapis.com/auth/youtube.readonly'],
  commentScope,
  pkce: true,
  revokes: 'refresh',
  adjust: ({ searchParams }) => {
    searchParams.set('access_type', 'offline')
    // Google gives a refresh token again only with a new consent, and asks for the channel with the account.
    searchParams.set('prompt', 'consent select_account')
  },
  getAccount,
}

const limits: Limits = {
  characters: words.descriptionBytes,
  counting: 'bytes',
  refusedCharacters: '<>',
  title: words.title,
  videoTags: words.tags,
  media: 1,
  needsMedia: true,
  replies: null,
  firstComment: { characters: words.comment, counting: 'utf16' },
  images: { bytes: 0, types: [] },
  videos: {
    types: ['video/mp4', 'video/quicktime', 'video/webm'],
    codecs: ['h264', 'hevc', 'vp8', 'vp9', 'av1', 'mpeg4', 'prores'],
    bytes: 256_000_000_000,
    durationMs: 12 * 60 * 60_000,
  },
}

/** A video has an upload before it is published, which says what became of it. */
export const youtube: Network = {
  provider: 'youtube',
  name,
  note: 'Videos, private by default.',
  limits,
  retrySafety: 'reconcile_only',
  connect: { by: 'authorize', authorization: createAuthorization(oauth), needsApp: true },
  scopes: oauth.scopes,
  count: (text) => Buffer.byteLength(text),
  postIdOf: (permalink) =>
    /^https:\/\/(?:(?:www\.|m\.)?youtube\.com\/(?:watch\?(?:.*&)?v=|shorts\/|live\/)|youtu\.be\/)([\w-]{6,64})(?:[/?#&].*)?$/.exec(
      permalink,
    )?.[1] ?? null,
  prepare,
  publish,
  checkPublished,
  firstComments,
  readBack,
  remove,
  corrections,
  ...createTokenCalls(oauth),
  checkAccount,
}

/** Costs one unit of the day’s 10,000. */
async function checkAccount(call: CallWithVideo): Promise<AccountCheck> {
  try {
    await call.video.client.getChannel(await userOf(call))
    return works
  } catch (error) {
    const outcome = interpretProblem(error)
    return outcome.kind === 'waiting' ? { kind: 'unreadable' } : judgeRefusal(outcome)
  }
}
