import { z } from 'zod'
import { graphemes } from './count.ts'
import { lostAnswer, refusal } from './http.ts'
import type { Network, PublishCall, PublishOutcome, ReadBack, ReadBackCall, Receipt } from './network.ts'

/** The built-in network, reached over HTTP as any other; it has no idempotency key, but it can be read back. */
export const sandbox: Network = {
  provider: 'sandbox',
  name: 'Sandbox',
  limits: { characters: 500, media: 0 },
  retrySafety: 'reconcile_only',
  connect: 'form',
  count: graphemes,
  postIdOf: (permalink) => /\/dev\/sandbox\/[^/#]+#post-([0-9a-f-]{36})$/.exec(permalink)?.[1] ?? null,
  publish,
  readBack,
}

const Created = z.object({ id: z.guid(), url: z.url() })
const Timeline = z.object({
  items: z.array(z.object({ id: z.guid(), text: z.string(), replyTo: z.guid().nullable() })),
})

const postsUrl = ({ sandboxUrl, account }: PublishCall): URL =>
  new URL(`/dev/sandbox/api/accounts/${encodeURIComponent(account)}/posts`, sandboxUrl)

async function publish(call: PublishCall): Promise<PublishOutcome> {
  try {
    const { text, replyTo, signal } = call
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(postsUrl(call), {
      method: 'POST',
      headers,
      body: JSON.stringify({ text, replyTo }),
      signal,
      // A connection of its own: a kept one that was closed meanwhile would look like a lost answer.
      keepalive: false,
    })
    if (!response.ok) return refusal('Sandbox', response)
    const { id, url } = Created.parse(await response.json())
    return { kind: 'published', platformPostId: id, permalink: url }
  } catch (error) {
    return lostAnswer('Sandbox', error)
  }
}

async function readBack(call: ReadBackCall): Promise<ReadBack> {
  try {
    const url = postsUrl(call)
    url.searchParams.set('since', call.since.toISOString())
    const response = await fetch(url, { signal: call.signal })
    if (!response.ok) return unreadable(response)
    const { items } = Timeline.parse(await response.json())
    return { kind: 'read', candidates: items.filter((item) => isSame(item, call)).map(({ id }) => receipt(call, id)) }
  } catch (error) {
    return { kind: 'unreadable', message: `Sandbox could not be read: ${String(error)}`, final: false }
  }
}

const isSame = (item: { text: string; replyTo: string | null }, call: ReadBackCall): boolean =>
  item.text === call.text && item.replyTo === call.replyTo

const receipt = ({ sandboxUrl, account }: ReadBackCall, id: string): Receipt => ({
  platformPostId: id,
  permalink: new URL(`/dev/sandbox/${encodeURIComponent(account)}#post-${id}`, sandboxUrl).href,
})

/** 501 and refusals of the caller are for good; a busy or failing network may be asked again. */
const unreadable = ({ status }: Response): ReadBack => ({
  kind: 'unreadable',
  message: `Sandbox answered ${status} when its timeline was read.`,
  final: status === 501 || (status < 500 && status !== 429),
})
