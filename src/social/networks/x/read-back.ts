import { z } from 'zod'
import { classifyFailure } from '../http.ts'
import type { PublishCall, ReadBack } from '../network.ts'
import { interpretRefusal, request } from './api.ts'
import { comparableShown, comparableText } from './count.ts'
import { receiptOf } from './receipt.ts'

const Link = z.object({ url: z.string(), expanded_url: z.string().catch('') })
const References = z.array(z.object({ type: z.string(), id: z.string() })).catch([])
const Note = z.object({ text: z.string() }).optional().catch(undefined)
/** Names with `tweet` are those of older versions of the API. */
const Listed = z.object({
  id: z.string(),
  text: z.string(),
  note_post: Note,
  note_tweet: Note,
  entities: z.object({ urls: z.array(Link).catch([]) }).catch({ urls: [] }),
  attachments: z.object({ media_keys: z.array(z.string()).catch([]) }).catch({ media_keys: [] }),
  referenced_posts: References,
  referenced_tweets: References,
})
const Timeline = z.object({
  data: z.array(Listed).default([]),
  meta: z.object({ next_token: z.string().optional().catch(undefined) }),
})

/** How far the clock of X can be behind ours. */
const clockSkewMs = 60_000
const maxPages = 10

/** Finds the posts since the attempt began with the same text, media and predecessor, oldest first. */
export async function readBack(call: PublishCall): Promise<ReadBack> {
  try {
    const query = new URLSearchParams({
      max_results: '100',
      start_time: new Date(call.startedAt.getTime() - clockSkewMs).toISOString().replace(/\.\d+/, ''),
      exclude: 'retweets',
      'post.fields': 'attachments,entities,note_post',
      expansions: 'referenced_posts',
    })
    const found: z.output<typeof Listed>[] = []
    for (let page = 0; page < maxPages; page++) {
      const response = await request(call, `/2/users/${call.account.externalId}/tweets?${query}`)
      if (!response.ok) {
        const { message } = await interpretRefusal(response)
        return { kind: 'unreadable', message, final: [401, 403, 404].includes(response.status) }
      }
      const { data, meta } = Timeline.parse(await response.json())
      found.push(...data.filter((post) => isSame(call, post)))
      if (meta.next_token === undefined) break
      query.set('pagination_token', meta.next_token)
    }
    return { kind: 'read', candidates: found.toReversed().map(({ id }) => receiptOf(call.account, id)) }
  } catch (error) {
    return { kind: 'unreadable', message: classifyFailure('X', error).message, final: false }
  }
}

function isSame({ text, replyTo, media }: PublishCall, post: z.output<typeof Listed>): boolean {
  const references = [...post.referenced_posts, ...post.referenced_tweets]
  const repliedTo = references.find(({ type }) => type === 'replied_to')?.id ?? null
  const hasMedia = post.attachments.media_keys.length > 0
  if (repliedTo !== replyTo || hasMedia !== media.length > 0) return false
  const links = post.entities.urls.map((link) => ({ url: link.url, expanded: link.expanded_url }))
  return (
    comparableShown({ text: (post.note_post ?? post.note_tweet)?.text ?? post.text, links, hasMedia }) ===
    comparableText(text)
  )
}
