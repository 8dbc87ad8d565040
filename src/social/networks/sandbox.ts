import { z } from 'zod'
import { tracedFetch } from '#lib/telemetry.ts'
import { graphemes } from './count.ts'
import { checkedForm } from './form.ts'
import { lostAnswer, refusal } from './http.ts'
import { NotMade, refusedStep, step } from './not-made.ts'
import type {
  Network,
  NetworkCall,
  PublishCall,
  PublishOutcome,
  ReadBack,
  Receipt,
  Removal,
  RemoveCall,
  SignedIn,
} from './network.ts'

/** The built-in network, reached over HTTP as the others are; it has no idempotency key, but it can be read back. */
export const sandbox: Network = {
  provider: 'sandbox',
  name: 'Sandbox',
  note: 'Test network. Nothing is really published.',
  limits: {
    characters: 500,
    media: 4,
    images: { bytes: 2_000_000, types: ['image/jpeg', 'image/png', 'image/webp', 'image/gif'] },
  },
  retrySafety: 'reconcile_only',
  connect: { by: 'form', signIn },
  count: graphemes,
  postIdOf: (permalink) => /\/dev\/sandbox\/[^/#]+#post-([0-9a-f-]{36})$/.exec(permalink)?.[1] ?? null,
  publish,
  readBack,
  remove,
}

const Created = z.object({ id: z.guid(), url: z.url() })
const Timeline = z.object({
  items: z.array(z.object({ id: z.guid(), text: z.string(), replyTo: z.guid().nullable() })),
})

const Form = z.object({
  handle: z
    .string('Enter a handle.')
    .trim()
    .regex(/^[a-z0-9_.-]{1,30}$/, 'Must be at most 30 lowercase letters, digits, dots, hyphens and underscores.'),
})

/** Any sandbox account can be connected by its name. */
async function signIn(form: unknown): Promise<SignedIn> {
  const { handle } = checkedForm(Form, form)
  return { externalId: handle, name: handle, metadata: {}, tokens: {}, scopes: [] }
}

const urlOf = ({ outside, account }: NetworkCall, what: 'posts' | 'media'): URL =>
  new URL(`/dev/sandbox/api/accounts/${encodeURIComponent(account.externalId)}/${what}`, outside.hosts.sandbox)

const Uploaded = z.object({ id: z.guid() })

/** The ids of the post's images on the network. Throws NotMade. */
async function uploaded(call: PublishCall): Promise<{ id: string; alt: string }[]> {
  const media: { id: string; alt: string }[] = []
  for (const { contentType, alt, bytes } of call.media) {
    const headers = { 'content-type': contentType }
    const body = await bytes()
    const response = await step('Sandbox', () =>
      tracedFetch(urlOf(call, 'media'), { method: 'POST', headers, body, signal: call.signal, keepalive: false }),
    )
    if (!response.ok) throw new NotMade(await refusedStep('Sandbox', response))
    media.push({ id: Uploaded.parse(await response.json()).id, alt })
  }
  return media
}

async function publish(call: PublishCall): Promise<PublishOutcome> {
  try {
    const { text, replyTo, signal } = call
    const headers = { 'content-type': 'application/json' }
    const media = await uploaded(call)
    // Our own server, or one that the operator named: not an address that a person could choose.
    const response = await tracedFetch(urlOf(call, 'posts'), {
      method: 'POST',
      headers,
      body: JSON.stringify({ text, replyTo, ...(media.length > 0 && { media }) }),
      signal,
      // A connection of its own: a kept one that was closed meanwhile would look like a lost answer.
      keepalive: false,
    })
    if (!response.ok) return refusal('Sandbox', response)
    const { id, url } = Created.parse(await response.json())
    return { kind: 'published', platformPostId: id, permalink: url }
  } catch (error) {
    return error instanceof NotMade ? error.outcome : lostAnswer('Sandbox', error)
  }
}

async function readBack(call: PublishCall): Promise<ReadBack> {
  try {
    const url = urlOf(call, 'posts')
    url.searchParams.set('since', call.startedAt.toISOString())
    const response = await tracedFetch(url, { signal: call.signal })
    if (!response.ok) return unreadable(response)
    const { items } = Timeline.parse(await response.json())
    return { kind: 'read', candidates: items.filter((item) => isSame(item, call)).map(({ id }) => receipt(call, id)) }
  } catch (error) {
    return { kind: 'unreadable', message: `Couldn’t read the sandbox: ${String(error)}`, final: false }
  }
}

const isSame = (item: { text: string; replyTo: string | null }, call: PublishCall): boolean =>
  item.text === call.text && item.replyTo === call.replyTo

const receipt = ({ outside, account }: PublishCall, id: string): Receipt => ({
  platformPostId: id,
  permalink: new URL(`/dev/sandbox/${encodeURIComponent(account.externalId)}#post-${id}`, outside.hosts.sandbox).href,
})

async function remove(call: RemoveCall): Promise<Removal> {
  try {
    const response = await tracedFetch(`${urlOf(call, 'posts')}/${call.platformPostId}`, {
      method: 'DELETE',
      signal: call.signal,
    })
    return response.ok || response.status === 404 ? { kind: 'removed' } : await refusal('Sandbox', response)
  } catch (error) {
    return lostAnswer('Sandbox', error)
  }
}

/** 501 and refusals of the caller are for good; a busy or failing network may be asked again. */
const unreadable = ({ status }: Response): ReadBack => ({
  kind: 'unreadable',
  message: `The sandbox responded with ${status} when its timeline was read.`,
  final: status === 501 || (status < 500 && status !== 429),
})
