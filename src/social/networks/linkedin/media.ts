import { z } from 'zod'
import type { Image } from '#lib/images/prepared.ts'
import { truncate } from '#lib/text.ts'
import { classifyStepFailure, uploadTimeoutMs } from '../http.ts'
import type { NetworkCall, OutgoingMedia, PrepareCall, Preparation, PublishCall } from '../network.ts'
import { NotCreatedError, unexpectedResponse } from '../not-created.ts'
import { accessTokenOf } from '../oauth.ts'
import { request, step } from './api.ts'

const maxAltCharacters = 4086

const kinds = ['image', 'video', 'document'] as const
type Kind = (typeof kinds)[number]
const Urn = z.string().regex(/^urn:li:(image|video|document):[\w-]+$/)

const Asset = z.object({ id: Urn, altText: z.string(), title: z.string() })
const Part = z.object({ uploadUrl: z.url(), firstByte: z.int().min(0), lastByte: z.int().min(0) })
const Video = z.object({ id: Urn, uploadToken: z.string(), parts: z.array(Part), etags: z.array(z.string()) })
/** The files that LinkedIn has, the video that it is receiving, and whether it is processing the last file. */
const Progress = z.object({ assets: z.array(Asset), video: Video.nullable(), isProcessing: z.boolean() })
type Progress = z.output<typeof Progress>

const Prepared = z.array(Asset).nullable()

/** The `content` of a post; undefined without files. The brand can require approvals since the image was uploaded. */
export async function contentOf({ prepared, linkPreview }: Pick<PublishCall, 'prepared' | 'linkPreview'>) {
  const assets = Prepared.parse(prepared) ?? []
  const [first] = assets
  if (linkPreview) {
    const { url: source, title, description } = linkPreview
    const thumbnail = first && (await linkPreview.allowsImage()) ? first.id : undefined
    return { article: { source, title, description, ...(thumbnail && { thumbnail }) } }
  }
  if (!first) return undefined
  if (assets.length > 1) return { multiImage: { images: assets.map(({ id, altText }) => ({ id, altText })) } }
  const { id, altText, title } = first
  return { media: id.startsWith('urn:li:image:') ? { id, altText } : { id, title } }
}

/** One file at a time, videos in the parts that LinkedIn names. Videos and documents are processed before the post. */
export async function prepare(call: PrepareCall, owner: string): Promise<Preparation> {
  const progress = Progress.parse(call.progress ?? { assets: [], video: null, isProcessing: false })
  const isContinued = progress.video !== null
  try {
    for (const media of call.media.slice(progress.assets.length)) {
      const altText = truncate(media.alt, maxAltCharacters)
      const kind = kindOf(media)
      const id = kind === 'video' ? await uploadVideo(call, media, owner, progress) : await upload(call, media, owner)
      Object.assign(progress, { assets: [...progress.assets, { id, altText, title: media.name ?? '' }], video: null })
      if (kind !== 'image') await call.save(Object.assign(progress, { isProcessing: true }), 100)
    }
    const image = progress.assets.length === 0 ? await call.linkPreview?.loadImage() : null
    if (image) progress.assets = [{ id: await upload(call, fileOf(image), owner), altText: '', title: '' }]
    const [last] = progress.assets.slice(-1)
    if (last && progress.isProcessing && !(await isProcessed(call, last.id)))
      return { kind: 'processing', retryAfterMs: processingMs }
    return { kind: 'ready', prepared: progress.assets }
  } catch (error) {
    if (!(error instanceof NotCreatedError)) return classifyStepFailure('LinkedIn', error)
    if (!isContinued || error.outcome.kind !== 'refused' || error.outcome.transient) return error.outcome
    // The URLs of an upload that another server began have expired.
    await call.save({ ...progress, video: null })
    return { ...error.outcome, transient: true }
  }
}

const processingMs = 3_000

function kindOf({ contentType }: Pick<OutgoingMedia, 'contentType'>): Kind {
  if (contentType.startsWith('video/')) return 'video'
  return contentType === 'application/pdf' ? 'document' : 'image'
}

const initialize = (call: NetworkCall, kind: Kind, fields: Record<string, unknown>) =>
  step(() => request(call, `/rest/${kind}s?action=initializeUpload`, 'POST', { initializeUploadRequest: fields }))

const Upload = z
  .object({ value: z.object({ uploadUrl: z.url(), image: Urn.optional(), document: Urn.optional() }) })
  .transform(({ value: { uploadUrl, image, document } }) => ({ uploadUrl, id: image ?? document }))

const fileOf = ({ contentType, data }: Image): UploadedFile => ({ contentType, bytes: async () => data })

type UploadedFile = Pick<OutgoingMedia, 'contentType' | 'bytes'>

/** @throws NotCreatedError */
async function upload(call: PrepareCall, media: UploadedFile, owner: string): Promise<string> {
  const started = await initialize(call, kindOf(media), { owner })
  const { uploadUrl, id } = Upload.safeParse(await started.json().catch(() => null)).data ?? {}
  if (uploadUrl === undefined || id === undefined) throw unexpectedResponse('LinkedIn')
  await step(async () => put(call, uploadUrl, { contentType: media.contentType, body: await media.bytes() }))
  return id
}

const VideoUpload = z
  .object({ value: z.object({ video: Urn, uploadToken: z.string(), uploadInstructions: z.array(Part).min(1) }) })
  .transform(({ value: { video: id, uploadToken, uploadInstructions: parts } }) => ({
    id,
    uploadToken,
    parts,
    etags: [],
  }))

/** @throws NotCreatedError */
async function uploadVideo(
  call: PrepareCall,
  media: OutgoingMedia,
  owner: string,
  progress: Progress,
): Promise<string> {
  progress.video ??= await initializeVideo(call, media, owner)
  const { id, uploadToken, parts, etags } = progress.video
  for (const { uploadUrl, firstByte, lastByte } of parts.slice(etags.length)) {
    const body = await media.slice(firstByte, lastByte + 1)
    const response = await step(() => put(call, uploadUrl, { contentType: 'application/octet-stream', body }))
    const etag = response.headers.get('etag')
    if (etag === null) throw unexpectedResponse('LinkedIn')
    etags.push(etag)
    await call.save(progress, (100 * (lastByte + 1)) / media.size)
  }
  const finalize = { finalizeUploadRequest: { video: id, uploadToken, uploadedPartIds: etags } }
  await step(() => request(call, '/rest/videos?action=finalizeUpload', 'POST', finalize))
  return id
}

async function initializeVideo(
  call: PrepareCall,
  { size }: OutgoingMedia,
  owner: string,
): Promise<z.output<typeof Video>> {
  const fields = { owner, fileSizeBytes: size, uploadCaptions: false, uploadThumbnail: false }
  const started = await initialize(call, 'video', fields)
  const video = VideoUpload.safeParse(await started.json().catch(() => null))
  if (!video.success) throw unexpectedResponse('LinkedIn')
  return video.data
}

const Status = z.object({ status: z.string() })

/** @throws NotCreatedError */
async function isProcessed(call: PrepareCall, urn: string): Promise<boolean> {
  const kind = kinds.find((one) => urn.startsWith(`urn:li:${one}:`)) ?? 'video'
  const response = await step(() => request(call, `/rest/${kind}s/${encodeURIComponent(urn)}`, 'GET'))
  const { status } = Status.safeParse(await response.json().catch(() => null)).data ?? {}
  if (status === 'PROCESSING_FAILED')
    throw new NotCreatedError({
      kind: 'refused',
      code: 'media_refused',
      message: `LinkedIn couldn’t process the ${kind} of the post. Replace it.`,
      transient: false,
    })
  return status === 'AVAILABLE'
}

/** The token is sent to LinkedIn alone. */
function put(
  { account, outside, signal }: PrepareCall,
  uploadUrl: string,
  { contentType, body }: { contentType: string; body: Uint8Array<ArrayBuffer> },
): Promise<Response> {
  const isOwn = new URL(uploadUrl).hostname.endsWith('.linkedin.com')
  return outside.fetch(outside.at(uploadUrl), {
    method: 'PUT',
    headers: {
      'content-type': contentType,
      ...(isOwn && { authorization: `Bearer ${accessTokenOf(account.tokens)}` }),
    },
    body,
    signal,
    timeoutMs: uploadTimeoutMs,
  })
}
