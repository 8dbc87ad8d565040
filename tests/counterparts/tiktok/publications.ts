import { z } from 'zod'
import type { Call } from '../wire/call.ts'
import { secret } from '../wire/grants.ts'
import { invalidParams, refuse, succeed, succeedWith } from './errors.ts'

/** A post as viewers see it. */
export interface Post {
  id: string
  creator: string
  kind: 'VIDEO' | 'PHOTO'
  title: string
  description: string
  privacy: string
  /** Bytes of the video, or how many photos. */
  size: number
  createdAt: number
  /** Whether the creator has to finish it in the app. */
  isInInbox: boolean
}

export interface Creator {
  /** The `open_id` for this app. */
  id: string
  username: string
  privacyOptions: string[]
  maxDurationSec: number
  areCommentsDisabled: boolean
  isPrivate: boolean
}

interface Publication {
  id: string
  creator: string
  uploadToken: string | null
  size: number
  chunkBytes: number
  chunks: number
  received: number
  post: Omit<Post, 'id' | 'createdAt'>
  postId: string | null
  expiresAt: number
  /** Status requests until it is published. */
  busy: number
  /** Why its processing fails; null when it doesn’t. */
  failReason: string | null
}

export interface Rules {
  /** Bytes of a chunk; the last one is at most twice the maximum. */
  minChunk: number
  maxChunk: number
  /** Not audited: private posts of private accounts only. */
  isUnaudited: boolean
  /** Prefixes of URLs that the app has proven to own, null for all. */
  ownedUrls: string[] | null
}

const mb = 1024 * 1024
export const limits = { title: 2200, photoTitle: 90, photoText: 4000, photos: 35, bytes: 4096 * mb }

const base = {
  privacy_level: z.enum(['PUBLIC_TO_EVERYONE', 'MUTUAL_FOLLOW_FRIENDS', 'FOLLOWER_OF_CREATOR', 'SELF_ONLY']),
  disable_comment: z.boolean().optional(),
  brand_content_toggle: z.boolean().optional(),
  brand_organic_toggle: z.boolean().optional(),
}
const VideoInfo = z.strictObject({
  ...base,
  title: z.string().max(limits.title).optional(),
  disable_duet: z.boolean().optional(),
  disable_stitch: z.boolean().optional(),
  video_cover_timestamp_ms: z.int().min(0).optional(),
  is_aigc: z.boolean().optional(),
})
const VideoSource = z.discriminatedUnion('source', [
  z.strictObject({
    source: z.literal('FILE_UPLOAD'),
    video_size: z.int().min(1).max(limits.bytes),
    chunk_size: z.int().min(1),
    total_chunk_count: z.int().min(1).max(1000),
  }),
  z.strictObject({ source: z.literal('PULL_FROM_URL'), video_url: z.url() }),
])
const Direct = z.strictObject({ post_info: VideoInfo, source_info: VideoSource })
const Inbox = z.strictObject({ source_info: VideoSource })
const Photos = z.strictObject({
  media_type: z.literal('PHOTO'),
  post_mode: z.enum(['DIRECT_POST', 'MEDIA_UPLOAD']),
  post_info: z.strictObject({
    ...base,
    title: z.string().max(limits.photoTitle).optional(),
    description: z.string().max(limits.photoText).optional(),
    auto_add_music: z.boolean().optional(),
  }),
  source_info: z.strictObject({
    source: z.literal('PULL_FROM_URL'),
    photo_images: z.array(z.url()).min(1).max(limits.photos),
    photo_cover_index: z.int().min(0),
  }),
})

interface Options {
  nextId: () => string
  now: () => number
  uploadUrl: () => string
  processing: number
  rules: Rules
}

/** What creators publish, and the posts that come of it. */
export class Publications {
  readonly posts: Post[] = []
  readonly #found = new Map<string, Publication>()
  readonly #options: Options
  /** How many of the next ones fail in processing. */
  breaks = 0
  failReason = 'file_format_check_failed'
  /** Status requests until the next ones are published. */
  processing: number

  constructor(options: Options) {
    this.#options = options
    this.processing = options.processing
  }

  startVideo(call: Call, creator: Creator, isDirect: boolean): Response {
    const { post_info, source_info } = isDirect
      ? call.json(Direct)
      : { ...call.json(Inbox), post_info: { privacy_level: 'SELF_ONLY' as const, title: '' } }
    if (isDirect) this.#checkPrivacy(post_info.privacy_level, creator)
    const isPulled = source_info.source === 'PULL_FROM_URL'
    if (isPulled) this.#checkOwner(source_info.video_url)
    else this.#checkChunks(source_info)
    const publication = this.#create(creator, isDirect ? 'v_pub' : 'v_inbox', isPulled ? 'url' : 'file', {
      creator: creator.id,
      kind: 'VIDEO',
      title: post_info.title ?? '',
      description: '',
      privacy: post_info.privacy_level,
      size: isPulled ? 0 : source_info.video_size,
      isInInbox: !isDirect,
    })
    if (isPulled) {
      this.#publish(publication)
      return succeed({ publish_id: publication.id })
    }
    Object.assign(publication, {
      uploadToken: secret(16),
      size: source_info.video_size,
      chunkBytes: source_info.chunk_size,
      chunks: source_info.total_chunk_count,
    })
    const query = `upload_id=${encodeURIComponent(publication.id)}&upload_token=${publication.uploadToken}`
    return succeed({ publish_id: publication.id, upload_url: `${this.#options.uploadUrl()}/video/?${query}` })
  }

  startPhotos(call: Call, creator: Creator): Response {
    const { post_mode, post_info, source_info } = call.json(Photos)
    if (post_mode === 'DIRECT_POST') this.#checkPrivacy(post_info.privacy_level, creator)
    if (source_info.photo_cover_index >= source_info.photo_images.length)
      throw invalidParams('photo_cover_index is out of range')
    for (const url of source_info.photo_images) this.#checkOwner(url)
    const publication = this.#create(creator, 'p_pub', 'url', {
      creator: creator.id,
      kind: 'PHOTO',
      title: post_info.title ?? '',
      description: post_info.description ?? '',
      privacy: post_info.privacy_level,
      size: source_info.photo_images.length,
      isInInbox: post_mode === 'MEDIA_UPLOAD',
    })
    this.#publish(publication)
    return succeed({ publish_id: publication.id })
  }

  /** Takes the next chunk of a video; a chunk out of order is refused. */
  put(call: Call): Response {
    const found = this.#found.get(call.query.get('upload_id') ?? '')
    if (!found?.uploadToken || found.uploadToken !== call.query.get('upload_token'))
      return new Response(null, { status: 404 })
    if (found.expiresAt <= this.#options.now()) return new Response(null, { status: 403 })
    if (!['video/mp4', 'video/quicktime', 'video/webm'].includes(call.type)) return new Response(null, { status: 415 })
    const { received, size, chunkBytes, chunks } = found
    const isLast = Math.floor(received / chunkBytes) >= chunks - 1
    const end = isLast ? size : received + chunkBytes
    if (call.headers.get('content-range') !== `bytes ${received}-${end - 1}/${size}`)
      return new Response(null, { status: 416, headers: { 'content-range': `bytes 0-${received - 1}/${size}` } })
    if (call.bytes.length !== end - received) return new Response(null, { status: 400 })
    found.received = end
    if (found.received === size) this.#publish(found)
    return new Response(null, {
      status: found.received === size ? 201 : 206,
      headers: { 'content-range': `bytes 0-${end - 1}/${size}` },
    })
  }

  status(call: Call, creator: Creator): Response {
    const { publish_id } = call.json(z.strictObject({ publish_id: z.string().max(64) }))
    const found = this.#found.get(publish_id)
    if (found?.creator !== creator.id) throw refuse(400, 'invalid_publish_id', 'The publish_id does not exist.')
    const uploaded = found.uploadToken ? { uploaded_bytes: found.received } : { downloaded_bytes: found.size }
    if (found.uploadToken && found.received < found.size) return succeed({ status: 'PROCESSING_UPLOAD', ...uploaded })
    if (found.busy > 0) {
      found.busy -= 1
      return succeed({ status: found.uploadToken ? 'PROCESSING_UPLOAD' : 'PROCESSING_DOWNLOAD', ...uploaded })
    }
    if (found.failReason !== null) return succeed({ status: 'FAILED', fail_reason: found.failReason, ...uploaded })
    if (found.post.isInInbox) return succeed({ status: 'SEND_TO_USER_INBOX', ...uploaded })
    // The field has this spelling, and its ids are numbers. Private posts have none.
    const ids = found.post.privacy === 'PUBLIC_TO_EVERYONE' ? `[${found.postId}]` : '[]'
    return succeedWith(`{"status":"PUBLISH_COMPLETE","publicaly_available_post_id":${ids}}`)
  }

  finishProcessing(): void {
    for (const publication of this.#found.values()) publication.busy = 0
  }

  #create(creator: Creator, prefix: string, source: string, post: Publication['post']): Publication {
    const { nextId, now } = this.#options
    const publication: Publication = {
      id: `${prefix}_${source}~v2-1.${nextId()}`,
      creator: creator.id,
      uploadToken: null,
      size: post.size,
      chunkBytes: 0,
      chunks: 0,
      received: 0,
      post,
      postId: null,
      expiresAt: now() + 3_600_000,
      busy: this.processing,
      failReason: this.breaks > 0 ? this.failReason : null,
    }
    if (publication.failReason !== null) this.breaks -= 1
    this.#found.set(publication.id, publication)
    return publication
  }

  #publish(publication: Publication): void {
    if (publication.failReason !== null || publication.postId) return
    publication.postId = this.#options.nextId()
    this.posts.push({ ...publication.post, id: publication.postId, createdAt: this.#options.now() })
  }

  #checkPrivacy(privacy: string, { privacyOptions, isPrivate }: Creator): void {
    if (!privacyOptions.includes(privacy))
      throw refuse(
        403,
        'privacy_level_option_mismatch',
        'privacy_level is not specified or not among the options from creator_info',
      )
    if (this.#options.rules.isUnaudited && (privacy !== 'SELF_ONLY' || !isPrivate))
      throw refuse(
        403,
        'unaudited_client_can_only_post_to_private_accounts',
        'Unaudited clients can only post to private accounts.',
      )
  }

  #checkOwner(url: string): void {
    const { ownedUrls } = this.#options.rules
    if (ownedUrls && !ownedUrls.some((prefix) => url.startsWith(prefix)))
      throw refuse(403, 'url_ownership_unverified', 'Please verify the ownership of the URL or its prefix.')
  }

  #checkChunks({ video_size, chunk_size, total_chunk_count }: z.infer<typeof FileSource>): void {
    const { minChunk, maxChunk } = this.#options.rules
    const isWhole = chunk_size === video_size && video_size <= maxChunk
    if (!isWhole && (chunk_size < minChunk || chunk_size > maxChunk)) throw invalidParams('The chunk size is invalid')
    if (total_chunk_count !== Math.max(1, Math.floor(video_size / chunk_size)))
      throw invalidParams('The total chunk count is invalid')
  }
}

const [FileSource] = VideoSource.options
