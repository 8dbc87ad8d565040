import { z } from 'zod'
import type { NetworkCall, PublishCall, Refusal, Unauthorized } from '../network.ts'
import { NotCreatedError, readStepRefusal, unexpectedResponse, requestStep } from '../not-created.ts'
import { findFacets, type Facet } from './facets.ts'
import { accessOf, pdsOf } from './session.ts'
import { callXrpc, readCallRefusal } from './xrpc.ts'

export const collection = 'app.bsky.feed.post'

interface Reference {
  uri: string
  cid: string
}

interface PostRecord {
  $type: typeof collection
  text: string
  createdAt: string
  facets?: Facet[]
  reply?: { root: Reference; parent: Reference }
  embed?: { $type: 'app.bsky.embed.images'; images: Image[] } | External
}

interface External {
  $type: 'app.bsky.embed.external'
  external: { uri: string; title: string; description: string; thumb?: unknown }
}

interface Image {
  image: unknown
  alt: string
  aspectRatio?: { width: number; height: number }
}

/** @throws NotCreatedError */
export async function createRecord(call: PublishCall): Promise<PostRecord> {
  const { text, startedAt, replyTo, media } = call
  const [facets, reply, images, card] = await Promise.all([
    findFacets(text, (handle) => resolveMention(call, handle)),
    replyTo === null ? undefined : getReply(call, replyTo),
    uploadImages(call),
    createCard(call),
  ])
  return {
    $type: collection,
    text,
    createdAt: startedAt.toISOString(),
    ...(facets.length > 0 && { facets }),
    ...(reply && { reply }),
    ...(media.length > 0 && { embed: { $type: 'app.bsky.embed.images', images } }),
    ...(card && { embed: card }),
  }
}

const Did = z.object({ did: z.string() })

export async function resolveMention(
  { outside, account, signal }: NetworkCall,
  handle: string,
): Promise<string | null> {
  const method = 'com.atproto.identity.resolveHandle'
  const response = await callXrpc(outside, pdsOf(account.metadata), method, { params: { handle }, signal }).catch(
    () => null,
  )
  const resolved = Did.safeParse(response?.ok ? await response.json().catch(() => null) : null)
  return resolved.success ? resolved.data.did : null
}

const Reference = z.object({ uri: z.string(), cid: z.string() })
const Parent = Reference.extend({ value: z.object({ reply: z.object({ root: Reference }).optional() }) })

async function getReply(call: PublishCall, replyTo: string): Promise<{ root: Reference; parent: Reference }> {
  const response = await requestStep('Bluesky', () => readRecord(call, replyTo))
  if (response.status === 400) throw new NotCreatedError(replyTargetMissing)
  if (!response.ok) throw new NotCreatedError(await readStepRefusal('Bluesky', response))
  const parsed = Parent.safeParse(await response.json().catch(() => null))
  if (!parsed.success) throw unexpectedResponse('Bluesky')
  const { uri, cid, value } = parsed.data
  return { root: value.reply?.root ?? { uri, cid }, parent: { uri, cid } }
}

const replyTargetMissing = {
  kind: 'refused',
  code: 'reply_target_missing',
  message: 'The previous post of the thread is no longer on Bluesky. Remove this post from the thread.',
  transient: false,
} as const

export function readRecord({ outside, account, signal }: NetworkCall, uri: string): Promise<Response> {
  const [repo = '', , rkey = ''] = uri.replace(/^at:\/\//, '').split('/')
  return callXrpc(outside, pdsOf(account.metadata), 'com.atproto.repo.getRecord', {
    params: { repo, collection, rkey },
    signal,
  })
}

const Uploaded = z.object({ blob: z.record(z.string(), z.unknown()) })

/** One at a time, to hold only one in memory. */
async function uploadImages(call: PublishCall): Promise<Image[]> {
  const images: Image[] = []
  for (const { contentType, width, height, alt, bytes } of call.media) {
    const blob = await uploadBlob(call, contentType, await bytes())
    const aspectRatio = width && height ? { width, height } : undefined
    images.push({ image: blob, alt, ...(aspectRatio && { aspectRatio }) })
  }
  return images
}

/** A page whose image can't be downloaded has a card without one. */
async function createCard(call: PublishCall): Promise<External | undefined> {
  if (!call.linkPreview) return undefined
  const { url: uri, title, description, loadImage } = call.linkPreview
  const image = await loadImage()
  const thumb = image && (await uploadBlob(call, image.contentType, image.data))
  return { $type: 'app.bsky.embed.external', external: { uri, title, description, ...(thumb && { thumb }) } }
}

async function uploadBlob(
  { account, outside, signal }: PublishCall,
  contentType: string,
  content: Uint8Array<ArrayBuffer>,
): Promise<Record<string, unknown>> {
  const response = await requestStep('Bluesky', () =>
    callXrpc(outside, pdsOf(account.metadata), 'com.atproto.repo.uploadBlob', {
      bytes: { contentType, content },
      ...accessOf(account.tokens),
      signal,
    }),
  )
  if (!response.ok) throw new NotCreatedError(await readUploadRefusal(response))
  const uploaded = Uploaded.safeParse(await response.json().catch(() => null))
  if (!uploaded.success) throw unexpectedResponse('Bluesky')
  return uploaded.data.blob
}

export const imageRefused = {
  code: 'media_refused',
  message: 'Bluesky refused an image of the post. Replace it.',
} as const

async function readUploadRefusal(response: Response): Promise<Refusal | Unauthorized> {
  const outcome = await readCallRefusal(response)
  if (outcome.kind === 'unclear') return { ...outcome, kind: 'refused', transient: true }
  return outcome.kind === 'refused' && [400, 413, 415].includes(response.status)
    ? { ...outcome, ...imageRefused }
    : outcome
}
