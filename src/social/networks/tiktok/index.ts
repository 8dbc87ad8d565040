import { z } from 'zod'
import { checkBy, works } from '../account-check.ts'
import { classifyFailure, readRefusal } from '../http.ts'
import type {
  AccountCheck,
  Limits,
  Network,
  NetworkCall,
  PublishCall,
  PublishOutcome,
  ReadBack,
  Refusal,
  Unclear,
} from '../network.ts'
import { NotCreatedError } from '../not-created.ts'
import { createAuthorization, createTokenCalls, type OAuthNetwork } from '../oauth.ts'
import { name, post, readData } from './api.ts'
import { getAccount } from './profile.ts'
import { failedPublication, failedUpload } from './failed-publication.ts'
import { checkPublished, getPublication, isPublished, receiptOf } from './publication.ts'
import { interpretRefusal } from './refusal.ts'
import { postInfoOf, prepare, readCreator, sendChunk, uploadOf } from './video.ts'

const oauth: OAuthNetwork = {
  provider: 'tiktok',
  name,
  authorizeUrl: 'https://www.tiktok.com/v2/auth/authorize/',
  scopes: ['user.info.basic', 'user.info.profile', 'video.publish'],
  // TikTok has it for apps on devices only.
  pkce: false,
  revokes: 'access',
  adjust: ({ searchParams }) => {
    searchParams.set('client_key', searchParams.get('client_id') ?? '')
    searchParams.delete('client_id')
    searchParams.set('scope', oauth.scopes.join(','))
  },
  getAccount,
}

const megabyte = 1_000_000

const limits: Limits = {
  characters: 2200,
  counting: 'utf16',
  media: 35,
  replies: null,
  needsMedia: true,
  images: { bytes: 20 * megabyte, types: ['image/jpeg', 'image/webp'] },
  videos: {
    types: ['video/mp4', 'video/quicktime', 'video/webm'],
    codecs: ['h264', 'hevc', 'vp8', 'vp9'],
    bytes: 4000 * megabyte,
    minDurationMs: 3_000,
    durationMs: 10 * 60_000,
  },
}

/** A video has an ID before it is published. Photos get theirs by being published, so that a lost response stays unknown. */
export const tiktok: Network = {
  provider: 'tiktok',
  name,
  note: 'Videos and photos.',
  limits,
  retrySafety: 'reconcile_only',
  connect: { by: 'authorize', authorization: createAuthorization(oauth), needsApp: true },
  count: (text) => text.length,
  postIdOf: (permalink) =>
    /^https:\/\/www\.tiktok\.com\/@[\w.]+\/(?:video|photo)\/(\d{1,25})(?:[/?#].*)?$/.exec(permalink)?.[1] ?? null,
  prepare,
  preparesText: true,
  // TikTok’s are valid for an hour; the last chunk needs some of it.
  uploadsLastMs: 50 * 60_000,
  publish,
  checkPublished,
  readBack,
  ...createTokenCalls(oauth),
  scopes: oauth.scopes,
  checkAccount,
}

function checkAccount(call: NetworkCall): Promise<AccountCheck> {
  return checkBy({
    ask: () => post(call, '/v2/post/publish/creator_info/query/', {}),
    interpretRefusal,
    data: z.unknown(),
    read: () => works,
  })
}

async function publish(call: PublishCall): Promise<PublishOutcome> {
  try {
    const upload = uploadOf(call.prepared)
    if (!upload) return await publishPhotos(call)
    const unsent = await sendRest(call, upload)
    return unsent ?? (await waitUntilPublished(call, upload.publishId, 'video'))
  } catch (error) {
    return error instanceof NotCreatedError ? error.outcome : classifyFailure(name, error)
  }
}

/** Sends what TikTok doesn’t have yet: it takes no byte twice. Null when TikTok has all of it. */
async function sendRest(
  call: PublishCall,
  { publishId, uploadUrl }: { publishId: string; uploadUrl: string },
): Promise<Refusal | Unclear | null> {
  const [file] = call.media
  const { status, uploaded_bytes: sent } = await getPublication(call, publishId)
  if (!file || status !== 'PROCESSING_UPLOAD' || sent >= file.size) return null
  const response = await sendChunk(call, file, { uploadUrl, sent }, file.size)
  if (response.ok) return null
  return response.status >= 500 ? readRefusal(name, response) : failedUpload(response.status)
}

const Started = z.object({ publish_id: z.string().max(100) })

async function publishPhotos(call: PublishCall): Promise<PublishOutcome> {
  const info = postInfoOf(await readCreator(call))
  const response = await post(call, '/v2/post/publish/content/init/', {
    media_type: 'PHOTO',
    post_mode: 'DIRECT_POST',
    post_info: { ...info, description: call.text },
    source_info: {
      source: 'PULL_FROM_URL',
      photo_images: call.media.map(({ url }) => url),
      photo_cover_index: 0,
    },
  })
  if (!response.ok) return interpretRefusal(response)
  const started = await readData(response, Started).catch(() => null)
  if (!started) return { kind: 'unclear', code: 'answer_lost', message: 'TikTok returned an unexpected response.' }
  return waitUntilPublished(call, started.publish_id, 'photo')
}

const pollMs = 1_000

/** At most until the call’s timeout. */
async function waitUntilPublished(
  call: PublishCall,
  publishId: string,
  kind: 'video' | 'photo',
): Promise<PublishOutcome> {
  for (;;) {
    const publication = await getPublication(call, publishId).catch(() => null)
    if (publication && isPublished(publication)) {
      return { kind: 'published', ...receiptOf(call.account, publishId, publication, kind), isShown: true }
    }
    if (publication?.status === 'FAILED') return failedPublication(publication.fail_reason)
    if (call.signal.aborted) {
      // TikTok accepted it. Photos can’t be read back; `checkPublished` asks for their status later.
      const nothingYet = { publicaly_available_post_id: [] }
      if (kind === 'photo') return { kind: 'published', ...receiptOf(call.account, publishId, nothingYet, kind) }
      return { kind: 'unclear', code: 'provider_timed_out', message: 'TikTok still processes the video.' }
    }
    await Bun.sleep(pollMs)
  }
}

async function readBack(call: PublishCall): Promise<ReadBack> {
  const upload = uploadOf(call.prepared)
  if (!upload)
    return { kind: 'unreadable', message: 'TikTok doesn’t let apps read the photos of an account.', final: true }
  try {
    const publication = await getPublication(call, upload.publishId)
    const { status, uploaded_bytes: sent } = publication
    // Publishing it again says why it failed, or sends the rest.
    if (!isPublished(publication) && (status === 'FAILED' || sent < upload.size))
      return { kind: 'read', candidates: [] }
    // It has all of the video, and `checkPublished` asks later what became of it.
    return { kind: 'read', candidates: [receiptOf(call.account, upload.publishId, publication, 'video')] }
  } catch (error) {
    if (!(error instanceof NotCreatedError)) throw error
    const { kind, message } = error.outcome
    return { kind: 'unreadable', message, final: kind === 'unauthorized' }
  }
}
