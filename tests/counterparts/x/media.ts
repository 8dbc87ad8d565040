import { z } from 'zod'
import { parse, type Call } from '../wire/call.ts'
import { invalidRequest, notFound } from './problems.ts'

const mb = 1024 * 1024
export const limits = { chunk: 5 * mb, image: 5 * mb, gif: 15 * mb, video: 512 * mb, alt: 1000 }

/** A file that was uploaded or is being so. */
export interface Media {
  id: string
  key: string
  owner: string
  type: string
  category: string
  totalBytes: number
  segments: Map<number, Uint8Array>
  isFinal: boolean
  /** Status requests until it is ready. */
  busy: number
  isBroken: boolean
  alt: string
  expiresAt: number
}

const Initialize = z.strictObject({
  media_type: z.enum([
    'video/mp4',
    'video/webm',
    'video/quicktime',
    'image/jpeg',
    'image/gif',
    'image/png',
    'image/webp',
  ]),
  media_category: z.enum(['tweet_gif', 'tweet_image', 'tweet_video', 'amplify_video']),
  total_bytes: z.int().min(1).max(limits.video),
  additional_owners: z.array(z.string()).optional(),
  shared: z.boolean().optional(),
})
const AppendJson = z.strictObject({ media: z.base64(), segment_index: z.int().min(0).max(999) })
const AppendForm = z.strictObject({ segment_index: z.string().regex(/^\d{1,3}$/) })
const Metadata = z.strictObject({
  id: z.string().regex(/^\d{1,19}$/),
  metadata: z.strictObject({
    alt_text: z.strictObject({ text: z.string().max(limits.alt) }),
  }),
})
const StatusQuery = z.strictObject({ media_id: z.string(), command: z.literal('STATUS').optional() })

/** The uploads of all users. */
export class Uploads {
  readonly #found = new Map<string, Media>()
  readonly #nextId: () => string
  readonly #now: () => number
  /** Status requests until a video is ready. */
  processing: number
  /** How many of the next videos fail in processing. */
  breaks = 0

  constructor(nextId: () => string, now: () => number, processing: number) {
    this.#nextId = nextId
    this.#now = now
    this.processing = processing
  }

  initialize(call: Call): Response {
    const { media_type: type, media_category: category, total_bytes: totalBytes } = call.json(Initialize)
    const kind = kindOf(category)
    const fits = kind === 'gif' ? type === 'image/gif' : type.startsWith(`${kind}/`)
    if (!fits) throw invalidRequest('media_type', type, `media type ${type} does not fit the category ${category}`)
    if (totalBytes > limits[kind])
      throw invalidRequest('total_bytes', String(totalBytes), `File size exceeds ${limits[kind]} bytes.`)
    const id = this.#nextId()
    const media: Media = {
      id,
      key: `${{ image: 3, gif: 16, video: 13 }[kind]}_${id}`,
      owner: call.user,
      type,
      category,
      totalBytes,
      segments: new Map(),
      isFinal: false,
      busy: kind === 'image' ? 0 : this.processing,
      isBroken: kind === 'video' && this.breaks > 0,
      alt: '',
      expiresAt: this.#now() + 86_400_000,
    }
    if (media.isBroken) this.breaks -= 1
    this.#found.set(id, media)
    return Response.json({ data: { id, media_key: media.key, expires_after_secs: 86_400 } })
  }

  async append(call: Call): Promise<Response> {
    const media = this.#own(call, call.param('id'))
    const { index, bytes } = await segmentOf(call)
    if (media.isFinal) throw invalidRequest('id', media.id, 'The upload is already finalized.')
    if (bytes.length === 0 || bytes.length > limits.chunk)
      throw invalidRequest('media', '', 'A segment has between 1 byte and 5 MB.')
    media.segments.set(index, bytes)
    return Response.json({ data: { expires_at: Math.floor(media.expiresAt / 1000) } })
  }

  finalize(call: Call): Response {
    const media = this.#own(call, call.param('id'))
    if (call.bytes.length > 0) throw invalidRequest('body', '', 'Must be empty')
    const whole = [...media.segments.keys()].every((index) => index < media.segments.size)
    const size = sizeOf(media)
    if (!whole || size !== media.totalBytes)
      throw invalidRequest('id', media.id, `Segments do not add up to provided total file size: ${size}.`)
    media.isFinal = true
    return Response.json({ data: this.#shown(media) })
  }

  status(call: Call): Response {
    const media = this.#own(call, call.search(StatusQuery).media_id)
    if (!media.isFinal) throw invalidRequest('media_id', media.id, 'The upload is not finalized.')
    media.busy -= 1
    return Response.json({ data: this.#shown(media) })
  }

  describe(call: Call): Response {
    const { id, metadata } = call.json(Metadata)
    const media = this.#own(call, id)
    media.alt = metadata.alt_text.text
    return Response.json({ data: { id, associated_metadata: metadata } })
  }

  /** The files of a post. @throws as the API does, when one is unknown, foreign, unfinished or one too many. */
  attached(ids: string[], owner: string): Media[] {
    const found = ids.flatMap((id) => this.#found.get(id) ?? [])
    const ready = found.filter((media) => media.owner === owner && isReady(media) && media.expiresAt > this.#now())
    const others = found.filter(({ category }) => category !== 'tweet_image')
    if (ready.length < ids.length || (others.length > 0 && ids.length > 1))
      throw invalidRequest('media.media_ids', `[${ids.join(', ')}]`, 'Your media IDs are invalid.')
    return ready
  }

  #own(call: Call, id: string): Media {
    const media = this.#found.get(id)
    if (media?.owner !== call.user) throw invalidRequest('id', id, notFound('media', id).detail)
    return media
  }

  #shown(media: Media) {
    const { id, key: media_key } = media
    const processing_info = progressOf(media)
    return {
      id,
      media_key,
      size: sizeOf(media),
      expires_after_secs: Math.floor((media.expiresAt - this.#now()) / 1000),
      ...(processing_info && { processing_info }),
    }
  }
}

export const sizeOf = ({ segments }: Media): number =>
  [...segments.values()].reduce((sum, { length }) => sum + length, 0)

const isReady = ({ isFinal, busy, isBroken }: Media): boolean => isFinal && busy <= 0 && !isBroken

function progressOf({ category, busy, isBroken }: Media) {
  if (category === 'tweet_image') return null
  if (busy > 0) return { state: 'in_progress', check_after_secs: 1, progress_percent: 50 }
  if (!isBroken) return { state: 'succeeded', progress_percent: 100 }
  return { state: 'failed', error: { code: 1, name: 'InvalidMedia', message: 'InvalidMedia' } }
}

function kindOf(category: string): 'image' | 'gif' | 'video' {
  if (category === 'tweet_image') return 'image'
  return category === 'tweet_gif' ? 'gif' : 'video'
}

async function segmentOf(call: Call): Promise<{ index: number; bytes: Uint8Array }> {
  if (call.type === 'application/json') {
    const { media, segment_index } = call.json(AppendJson)
    return { index: segment_index, bytes: Uint8Array.fromBase64(media) }
  }
  const { fields, files } = await call.multipart()
  const { segment_index } = parse(AppendForm, fields)
  const [strange] = Object.keys(files).filter((name) => name !== 'media')
  if (strange || !files['media']) throw invalidRequest(strange ?? 'media', '', 'Must be one file, media')
  return { index: Number(segment_index), bytes: files['media'].bytes }
}
