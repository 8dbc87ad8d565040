import { z } from 'zod'
import type { PublishCall, Refusal, Unauthorized } from '../network.ts'
import { NotMade, refusedStep, senseless, step } from '../not-made.ts'
import { facetsOf, type Facet } from './facets.ts'
import { pdsOf, Tokens } from './session.ts'
import { refusesToken, xrpc } from './xrpc.ts'

/** The collection of posts. */
export const collection = 'app.bsky.feed.post'

interface Reference {
  uri: string
  cid: string
}

/** A post as the network keeps it (the lexicon app.bsky.feed.post). */
interface PostRecord {
  $type: typeof collection
  text: string
  createdAt: string
  facets?: Facet[]
  reply?: { root: Reference; parent: Reference }
  embed?: { $type: 'app.bsky.embed.images'; images: Image[] }
}

interface Image {
  image: unknown
  alt: string
  aspectRatio: { width: number; height: number }
}

/** Everything that the post is, with its images uploaded. Throws NotMade. */
export async function recordOf(call: PublishCall): Promise<PostRecord> {
  const { text, startedAt, replyTo, media } = call
  const [facets, reply, images] = await Promise.all([
    facetsOf(text, (handle) => didOf(call, handle)),
    replyTo === null ? undefined : replyOf(call, replyTo),
    imagesOf(call),
  ])
  return {
    $type: collection,
    text,
    createdAt: startedAt.toISOString(),
    ...(facets.length > 0 && { facets }),
    ...(reply && { reply }),
    ...(media.length > 0 && { embed: { $type: 'app.bsky.embed.images', images } }),
  }
}

const Did = z.object({ did: z.string() })

/** Who a mention means; null where that can't be told: it stays plain text then. */
async function didOf({ outside, account, signal }: PublishCall, handle: string): Promise<string | null> {
  const method = 'com.atproto.identity.resolveHandle'
  const response = await xrpc(outside, pdsOf(account.metadata), method, { params: { handle }, signal }).catch(
    () => null,
  )
  const told = Did.safeParse(response?.ok ? await response.json().catch(() => null) : null)
  return told.success ? told.data.did : null
}

const Reference = z.object({ uri: z.string(), cid: z.string() })
const Parent = Reference.extend({ value: z.object({ reply: z.object({ root: Reference }).optional() }) })

/** The post that this one answers, and the first of its thread as that post itself tells it. */
async function replyOf(call: PublishCall, replyTo: string): Promise<{ root: Reference; parent: Reference }> {
  const response = await step('Bluesky', () => readRecord(call, replyTo))
  if (response.status === 400) throw new NotMade(missing)
  if (!response.ok) throw new NotMade(await refusedStep('Bluesky', response))
  const parsed = Parent.safeParse(await response.json().catch(() => null))
  if (!parsed.success) throw senseless('Bluesky')
  const { uri, cid, value } = parsed.data
  return { root: value.reply?.root ?? { uri, cid }, parent: { uri, cid } }
}

const missing = {
  kind: 'refused',
  code: 'reply_target_missing',
  message: 'The previous post of the thread is no longer on Bluesky. Remove this post from the thread.',
  transient: false,
} as const

/** Reads a post by its address at://…; its own server needs no token for it. */
export function readRecord({ outside, account, signal }: PublishCall, uri: string): Promise<Response> {
  const [repo = '', , rkey = ''] = uri.replace(/^at:\/\//, '').split('/')
  return xrpc(outside, pdsOf(account.metadata), 'com.atproto.repo.getRecord', {
    params: { repo, collection, rkey },
    signal,
  })
}

const Uploaded = z.object({ blob: z.record(z.string(), z.unknown()) })

/** In order, one at a time: the images of a post are all its memory may hold at once. */
async function imagesOf({ media, account, outside, signal }: PublishCall): Promise<Image[]> {
  const images: Image[] = []
  for (const { contentType, width, height, alt, bytes } of media) {
    const content = await bytes()
    const response = await step('Bluesky', () =>
      xrpc(outside, pdsOf(account.metadata), 'com.atproto.repo.uploadBlob', {
        bytes: { contentType, content },
        token: Tokens.parse(account.tokens).access,
        signal,
      }),
    )
    if (!response.ok) throw new NotMade(await refused(response))
    const uploaded = Uploaded.safeParse(await response.json().catch(() => null))
    if (!uploaded.success) throw senseless('Bluesky')
    images.push({ image: uploaded.data.blob, alt, aspectRatio: { width, height } })
  }
  return images
}

async function refused(response: Response): Promise<Refusal | Unauthorized> {
  const unauthorized = await refusesToken(response)
  const outcome = await refusedStep('Bluesky', response)
  return unauthorized ? { kind: 'unauthorized', message: outcome.message } : outcome
}
