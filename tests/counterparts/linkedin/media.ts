import { z } from 'zod'
import type { Call } from '../wire/call.ts'
import { secret } from '../wire/grants.ts'
import { accessDenied, badRequest, notFound, unprocessable } from './errors.ts'

export type Kind = 'image' | 'document' | 'video'

export interface Asset {
  urn: string
  kind: Kind
  owner: string
  totalBytes: number | null
  parts: (Uint8Array | null)[]
  etags: (string | null)[]
  uploadToken: string
  isFinal: boolean
  /** Status requests until it is ready. */
  busy: number
  isBroken: boolean
  type: string
}

const mb = 1024 * 1024
export const limits = { image: 36 * mb, document: 100 * mb, video: 500 * mb }

const owner = z.string().regex(/^urn:li:(person|organization):[\w-]+$/)
const Initialize = z.strictObject({ initializeUploadRequest: z.strictObject({ owner }) })
const InitializeVideo = z.strictObject({
  initializeUploadRequest: z.strictObject({
    owner,
    fileSizeBytes: z.int().min(1).max(limits.video),
    uploadCaptions: z.boolean(),
    uploadThumbnail: z.boolean(),
  }),
})
const Finalize = z.strictObject({
  finalizeUploadRequest: z.strictObject({
    video: z.string(),
    uploadToken: z.string(),
    uploadedPartIds: z.array(z.string()).min(1),
  }),
})

interface Options {
  nextId: () => string
  now: () => number
  uploadUrl: () => string
  /** Whether the caller can write as this owner. */
  canWriteAs: (call: Call, owner: string) => boolean
  /** Status requests until videos and documents are ready. */
  processing: number
  partBytes: number
}

/** Images, documents and videos of all owners. */
export class Assets {
  readonly #found = new Map<string, Asset>()
  readonly #options: Options
  /** How many of the next uploads fail in processing. */
  breaks = 0

  constructor(options: Options) {
    this.#options = options
  }

  initialize(call: Call, kind: Kind): Response {
    this.#checkAction(call, kind === 'video' ? ['initializeUpload', 'finalizeUpload'] : ['initializeUpload'])
    if (call.query.get('action') === 'finalizeUpload') return this.#finalize(call)
    if (kind === 'video') return this.#initializeVideo(call)
    const { initializeUploadRequest: request } = call.json(Initialize)
    const asset = this.#create(call, kind, request.owner, null, 1)
    const uploadUrl = this.#urlOf(asset, 0)
    return Response.json({ value: { uploadUrlExpiresAt: this.#expiry(), uploadUrl, [kind]: asset.urn } })
  }

  #initializeVideo(call: Call): Response {
    const { initializeUploadRequest: request } = call.json(InitializeVideo)
    const { partBytes } = this.#options
    const count = Math.ceil(request.fileSizeBytes / partBytes)
    const asset = this.#create(call, 'video', request.owner, request.fileSizeBytes, count)
    const uploadInstructions = asset.parts.map((_, at) => ({
      uploadUrl: this.#urlOf(asset, at),
      firstByte: at * partBytes,
      lastByte: Math.min((at + 1) * partBytes, request.fileSizeBytes) - 1,
    }))
    return Response.json({
      value: {
        uploadUrlsExpireAt: this.#expiry(),
        video: asset.urn,
        uploadInstructions,
        uploadToken: asset.uploadToken,
      },
    })
  }

  /** Takes a file, or a part of a video. */
  put(call: Call): Response {
    const asset = this.#found.get(call.param('urn'))
    const at = Number(call.param('part'))
    if (!asset || asset.uploadToken !== call.query.get('t') || !(at < asset.parts.length))
      throw notFound(call.param('urn'))
    const { partBytes } = this.#options
    const expected = asset.totalBytes === null ? null : Math.min(partBytes, asset.totalBytes - at * partBytes)
    if (call.bytes.length === 0 || (expected !== null && call.bytes.length !== expected))
      throw badRequest(`The part has ${call.bytes.length} bytes, not ${expected}.`)
    if (call.bytes.length > limits[asset.kind]) throw badRequest('The file is too large.')
    asset.parts[at] = call.bytes
    asset.etags[at] = `/ambry-video/signedId/${secret(18)}`
    asset.type = call.type
    if (asset.kind !== 'video') asset.isFinal = true
    return new Response(null, {
      status: asset.kind === 'video' ? 200 : 201,
      headers: asset.kind === 'video' ? { etag: asset.etags[at] ?? '' } : {},
    })
  }

  #finalize(call: Call): Response {
    const { finalizeUploadRequest: request } = call.json(Finalize)
    const asset = this.#found.get(request.video)
    if (asset?.kind !== 'video') throw notFound(request.video)
    if (!this.#options.canWriteAs(call, asset.owner)) throw accessDenied('partnerApiVideos.ACTION-finalizeUpload')
    const isWhole = asset.etags.every((etag, at) => etag !== null && etag === request.uploadedPartIds[at])
    if (request.uploadToken !== asset.uploadToken || !isWhole || request.uploadedPartIds.length !== asset.etags.length)
      throw badRequest('The uploaded parts do not match the upload.')
    asset.isFinal = true
    return new Response(null, { status: 200 })
  }

  /** The status of an asset. Members' tokens are refused, as no read permission is open to them. */
  status(call: Call, kind: Kind): Response {
    const asset = this.#found.get(call.param('urn'))
    if (asset?.kind !== kind) throw notFound(call.param('urn'))
    if (asset.owner.startsWith('urn:li:person:') && kind === 'image') throw accessDenied('partnerApiImages.GET')
    if (!this.#options.canWriteAs(call, asset.owner)) throw accessDenied(`partnerApi${kind}s.GET`)
    const status = statusOf(asset)
    asset.busy -= 1
    return Response.json({
      id: asset.urn,
      owner: asset.owner,
      status,
      ...(status === 'PROCESSING_FAILED' && { processingFailureReason: 'TRANSCODING_FAILED' }),
    })
  }

  /** The asset for a post of this author. @throws when it is unknown, foreign or not uploaded. */
  attached(urn: string, author: string): Asset {
    const asset = this.#found.get(urn)
    if (!asset || asset.owner !== author) throw unprocessable('content', `Invalid media ${urn}`)
    if (!asset.isFinal || asset.isBroken) throw unprocessable('content', `Media ${urn} is not ready for publishing`)
    return asset
  }

  #create(call: Call, kind: Kind, by: string, totalBytes: number | null, count: number): Asset {
    if (!this.#options.canWriteAs(call, by)) throw accessDenied(`partnerApi${kind}s.ACTION-initializeUpload`)
    const asset: Asset = {
      urn: `urn:li:${kind}:D4E10${this.#options.nextId()}`,
      kind,
      owner: by,
      totalBytes,
      parts: Array.from({ length: count }, () => null),
      etags: Array.from({ length: count }, () => null),
      uploadToken: secret(12),
      isFinal: false,
      busy: this.#options.processing,
      isBroken: this.breaks > 0,
      type: '',
    }
    if (asset.isBroken) this.breaks -= 1
    this.#found.set(asset.urn, asset)
    return asset
  }

  #checkAction(call: Call, actions: string[]): void {
    const [parameter, ...others] = [...call.query.keys()]
    if (parameter !== 'action' || others.length > 0 || !actions.includes(call.query.get('action') ?? ''))
      throw badRequest('Invalid query parameters passed to request')
  }

  #urlOf({ urn, uploadToken }: Asset, at: number): string {
    return `${this.#options.uploadUrl()}/dms-uploads/${encodeURIComponent(urn)}/${at}?t=${uploadToken}`
  }

  #expiry(): number {
    return this.#options.now() + 86_400_000
  }
}

function statusOf({ isFinal, isBroken, busy }: Asset): string {
  if (!isFinal) return 'WAITING_UPLOAD'
  if (busy > 0) return 'PROCESSING'
  return isBroken ? 'PROCESSING_FAILED' : 'AVAILABLE'
}
