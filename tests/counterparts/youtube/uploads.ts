import { z } from 'zod'
import { parse, parseJson, type Call } from '../wire/call.ts'
import { secret } from '../wire/grants.ts'
import { badContent, badRequest, invalidMetadata, refuse, uploadLimitExceeded } from './errors.ts'

export interface Channel {
  /** Of the channel, with `UC`. */
  id: string
  username: string
  title: string
  /** The account has no channel yet. */
  isMissing: boolean
  /** Comments are turned off for its videos. */
  hasNoComments: boolean
  /** Videos that it can upload in a day. */
  uploadsPerDay: number
}

export interface Video {
  id: string
  channel: string
  title: string
  description: string
  tags: string[]
  categoryId: string
  privacy: Privacy
  madeForKids: boolean
  notified: boolean
  size: number
  sha256: string
  publishedAt: number
  state: 'uploaded' | 'processed' | 'failed' | 'rejected'
  reason: string | null
  /** Requests for its state until it is processed. */
  polls: number
}
type Privacy = 'private' | 'unlisted' | 'public'

interface Session {
  id: string
  channel: string
  contentType: string | null
  /** Null until it is known. */
  length: number | null
  bytes: Uint8Array<ArrayBuffer>[]
  received: number
  metadata: Metadata
  notify: boolean
  video: Video | null
  isGone: boolean
}

/** How a video ends that isn't processed. */
export interface Breakage {
  state: 'failed' | 'rejected'
  reason: string
}

export interface UploadRules {
  /** Requests for the state of a video until it is processed. */
  processing: number
  /** Projects that Google hasn't audited have private videos only. */
  isUnaudited: boolean
}

const granule = 256 * 1024

const angled = /[<>]/
const Snippet = z.strictObject({
  title: z.string().optional(),
  description: z.string().optional(),
  tags: z.array(z.string()).optional(),
  categoryId: z.string().optional(),
  defaultLanguage: z.string().optional(),
})
const Status = z.strictObject({
  privacyStatus: z.string().optional(),
  selfDeclaredMadeForKids: z.boolean().optional(),
  embeddable: z.boolean().optional(),
  license: z.string().optional(),
  publicStatsViewable: z.boolean().optional(),
  publishAt: z.string().optional(),
  containsSyntheticMedia: z.boolean().optional(),
})
const Body = z.strictObject({ snippet: Snippet.optional(), status: Status.optional() })
const Query = z.strictObject({
  uploadType: z.enum(['resumable']),
  part: z.string(),
  notifySubscribers: z.enum(['true', 'false']).optional(),
})
interface Metadata {
  title: string
  description: string
  tags: string[]
  categoryId: string
  privacy: Privacy
  madeForKids: boolean
}

/** Resumable uploads and the videos that they become. */
export class Uploads {
  readonly videos: Video[] = []
  readonly #sessions = new Map<string, Session>()
  readonly #rules: UploadRules
  readonly #origin: () => string
  readonly #now: () => number
  /** Of the next videos. */
  readonly breakages: Breakage[] = []
  /** Requests for the state of the next videos until they are processed. */
  processing: number

  constructor(options: { rules: UploadRules; origin: () => string; now: () => number }) {
    this.#rules = options.rules
    this.processing = options.rules.processing
    this.#origin = options.origin
    this.#now = options.now
  }

  start(call: Call, channel: Channel): Response {
    const { part, notifySubscribers = 'true' } = call.search(Query)
    const body = parse(Body, parseJson(call.text))
    if (call.type !== 'application/json') throw badContent(call.type)
    const parts = part.split(',')
    for (const sent of Object.keys(body))
      if (!parts.includes(sent))
        throw refuse(400, `'${sent}'`, { reason: 'unexpectedPart', domain: 'youtube.part', location: 'part' })
    const strange = parts.find((name) => !['snippet', 'status', 'id', 'processingDetails'].includes(name))
    if (strange !== undefined)
      throw refuse(400, `'${strange}'`, { reason: 'unknownPart', domain: 'youtube.part', location: 'part' })
    const type = call.headers.get('x-upload-content-type')
    if (type !== null && !/^(video\/[\w.+-]+|application\/octet-stream)$/.test(type)) throw badContent(type)
    const length = call.headers.get('x-upload-content-length')
    if (length !== null && !/^[1-9]\d{0,11}$/.test(length)) throw badRequest('Invalid X-Upload-Content-Length')
    const metadata = readMetadata(body)
    const since = this.#now() - 86_400_000
    const recent = this.videos.filter((video) => video.channel === channel.id && video.publishedAt > since)
    if (recent.length >= channel.uploadsPerDay) throw uploadLimitExceeded()
    const session: Session = {
      id: secret(24),
      channel: channel.id,
      contentType: type,
      length: length === null ? null : Number(length),
      bytes: [],
      received: 0,
      metadata,
      notify: notifySubscribers === 'true',
      video: null,
      isGone: false,
    }
    this.#sessions.set(session.id, session)
    const location = `${this.#origin()}/upload/youtube/v3/videos?${call.query}&upload_id=${session.id}`
    return new Response(null, {
      headers: { location, 'x-guploader-uploadid': session.id, 'content-length': '0' },
    })
  }

  put(call: Call, channel: Channel): Response {
    const session = this.#sessions.get(call.query.get('upload_id') ?? '')
    if (!session || session.channel !== channel.id || session.isGone) return new Response('Not Found', { status: 404 })
    const range = call.headers.get('content-range')
    const size = call.bytes.byteLength
    const parsed = /^bytes (?:(\d+)-(\d+)|\*)\/(\d+|\*)$/.exec(range ?? '')
    if (range !== null && !parsed) return plain(400, 'Failed to parse Content-Range header.')
    const [, first, last, total] = parsed ?? []
    if (total !== undefined && total !== '*') {
      if (session.length !== null && session.length !== Number(total))
        return plain(400, 'Invalid request. The length doesn’t match the one announced.')
      session.length = Number(total)
    }
    if (session.video) return Response.json(videoResource(session.video, ['snippet', 'status']))
    // A question where to continue.
    if (parsed && first === undefined)
      return size > 0 ? plain(400, 'A status request has no body.') : resumeIncomplete(session)
    const from = first === undefined ? 0 : Number(first)
    const end = last === undefined ? size : Number(last) + 1
    if (range === null) session.length ??= size
    if (end - from !== size || size === 0) return plain(400, 'Invalid request. The body doesn’t match Content-Range.')
    if (session.length !== null && end > session.length) return plain(400, 'Invalid request. Too many bytes.')
    if (end !== session.length && size % granule !== 0)
      return plain(400, 'Invalid request. The number of bytes uploaded is required to be a multiple of 262144.')
    if (from > session.received) return plain(400, 'Invalid request. There is a gap before these bytes.')
    session.bytes.push(call.bytes.subarray(session.received - from))
    session.received = Math.max(session.received, end)
    if (session.received !== session.length) return resumeIncomplete(session)
    session.video = this.#publish(session)
    return Response.json(videoResource(session.video, ['snippet', 'status']))
  }

  /** The sessions that are open are no longer known. */
  forgetSessions(): void {
    for (const session of this.#sessions.values()) session.isGone = true
  }

  /** Moves its processing on by one request. */
  look(video: Video): void {
    if (video.state !== 'uploaded') return
    if (video.polls > 0) {
      video.polls -= 1
      return
    }
    const broken = this.breakages.shift()
    video.state = broken?.state ?? 'processed'
    video.reason = broken?.reason ?? null
  }

  #publish({ bytes, channel, metadata, notify, received }: Session): Video {
    const hash = new Bun.CryptoHasher('sha256')
    for (const part of bytes) hash.update(part)
    const video: Video = {
      ...metadata,
      id: secret(8),
      channel,
      privacy: this.#rules.isUnaudited ? 'private' : metadata.privacy,
      notified: notify,
      size: received,
      sha256: hash.digest('hex'),
      publishedAt: this.#now(),
      state: 'uploaded',
      reason: null,
      polls: this.processing,
    }
    this.videos.push(video)
    return video
  }
}

const plain = (status: number, text: string) =>
  new Response(text, { status, headers: { 'content-type': 'text/plain; charset=utf-8' } })

const resumeIncomplete = ({ received }: Session) =>
  new Response(null, { status: 308, headers: received === 0 ? {} : { range: `bytes=0-${received - 1}` } })

const isPrivacy = (value: string): value is Privacy => ['private', 'unlisted', 'public'].includes(value)

function readMetadata({ snippet = {}, status = {} }: z.output<typeof Body>): Metadata {
  const { title = '', description = '', tags = [], categoryId = '22' } = snippet
  if (title.trim() === '' || [...title].length > 100 || angled.test(title))
    throw invalidMetadata(
      'invalidTitle',
      'The request metadata specifies an invalid or empty video title.',
      'body.snippet.title',
    )
  if (Buffer.byteLength(description) > 5_000 || angled.test(description))
    throw invalidMetadata(
      'invalidDescription',
      'The request metadata specifies an invalid video description.',
      'body.snippet.description',
    )
  const length = tags
    .map((tag) => [...tag].length + (tag.includes(' ') ? 2 : 0))
    .reduce((sum, each) => sum + each + 1, -1)
  if (length > 500 || tags.some((tag) => tag === '' || angled.test(tag)))
    throw invalidMetadata(
      'invalidTags',
      'The request metadata specifies invalid video keywords.',
      'body.snippet.tags[]',
    )
  if (!/^\d{1,2}$/.test(categoryId))
    throw invalidMetadata(
      'invalidCategoryId',
      'The snippet.categoryId property specifies an invalid category ID.',
      'body.snippet.categoryId',
    )
  // As documented, a video without one is public.
  const { privacyStatus = 'public', selfDeclaredMadeForKids = false } = status
  if (!isPrivacy(privacyStatus)) throw badRequest(`Invalid value at 'video.status.privacy_status': "${privacyStatus}"`)
  return { title, description, tags, categoryId, privacy: privacyStatus, madeForKids: selfDeclaredMadeForKids }
}

export function videoResource(video: Video, parts: readonly string[]) {
  const processing = {
    uploaded: 'processing',
    processed: 'succeeded',
    failed: 'failed',
    rejected: 'terminated',
  } as const
  const all: Record<string, unknown> = {
    snippet: {
      publishedAt: new Date(video.publishedAt).toISOString(),
      channelId: video.channel,
      title: video.title,
      description: video.description,
      tags: video.tags,
      categoryId: video.categoryId,
      liveBroadcastContent: 'none',
    },
    status: {
      uploadStatus: video.state,
      ...(video.state === 'failed' && { failureReason: video.reason }),
      ...(video.state === 'rejected' && { rejectionReason: video.reason }),
      privacyStatus: video.privacy,
      license: 'youtube',
      embeddable: true,
      publicStatsViewable: true,
      madeForKids: video.madeForKids,
      selfDeclaredMadeForKids: video.madeForKids,
    },
    processingDetails: { processingStatus: processing[video.state] },
  }
  return {
    kind: 'youtube#video',
    etag: 'etag',
    id: video.id,
    ...Object.fromEntries(parts.filter((part) => part in all).map((part) => [part, all[part]])),
  }
}
