import { z } from 'zod'
import type { Call } from '../wire/call.ts'
import { sizeOf, type Media } from './media.ts'
import { forbidden, invalidRequest } from './problems.ts'
import { shortenLinks, weightedLength } from './text.ts'

/** A post as readers see it. */
export interface Post {
  id: string
  author: string
  /** As it was sent, without shortened links. */
  text: string
  inReplyTo: string | null
  conversation: string
  media: { id: string; key: string; type: string; alt: string; bytes: number }[]
  createdAt: string
}

const id = z.string().regex(/^\d{1,19}$/)
const Create = z.strictObject({
  text: z.string().optional(),
  reply: z
    .strictObject({
      in_reply_to_tweet_id: id,
      exclude_reply_user_ids: z.array(id).optional(),
      auto_populate_reply_metadata: z.boolean().optional(),
    })
    .optional(),
  media: z
    .strictObject({ media_ids: z.array(id).min(1).max(4), tagged_user_ids: z.array(id).max(10).optional() })
    .optional(),
  quote_tweet_id: id.optional(),
  reply_settings: z.enum(['following', 'mentionedUsers', 'subscribers', 'verified']).optional(),
  made_with_ai: z.boolean().optional(),
  paid_partnership: z.boolean().optional(),
})

interface Author {
  id: string
  isSubscribed: boolean
}

/** A valid creation, not yet kept. */
export function readPost(
  call: Call,
  author: Author,
  posts: Post[],
  attached: (ids: string[], owner: string) => Media[],
  made: { id: string; at: number },
): Post {
  const { text = '', reply, media } = call.json(Create)
  if (!text.trim() && !media) throw invalidRequest('text', text, '$.text: is missing but it is required')
  const limit = author.isSubscribed ? 25_000 : 280
  if (weightedLength(text) > limit)
    throw forbidden(`Your post is ${weightedLength(text) - limit} characters too long. Shorten it and try again.`)
  const parent = posts.find((post) => post.id === reply?.in_reply_to_tweet_id)
  if (reply && !parent) throw forbidden('You attempted to reply to a Tweet that is deleted or not visible to you.')
  const files = attached(media?.media_ids ?? [], author.id)
  return {
    id: made.id,
    author: author.id,
    text,
    inReplyTo: parent?.id ?? null,
    conversation: parent?.conversation ?? made.id,
    media: files.map((file) => ({
      id: file.id,
      key: file.key,
      type: file.type,
      alt: file.alt,
      bytes: sizeOf(file),
    })),
    createdAt: new Date(made.at).toISOString(),
  }
}

const list = z.string().transform((text) => text.split(','))
const fields = {
  'post.fields': list.optional(),
  'user.fields': list.optional(),
  'media.fields': list.optional(),
  expansions: list.optional(),
}
export const PostQuery = z.strictObject(fields)
export const TimelineQuery = z.strictObject({
  ...fields,
  max_results: z.coerce.number().int().min(5).max(100).default(10),
  pagination_token: z.string().optional(),
  since_id: id.optional(),
  until_id: id.optional(),
  start_time: z.iso.datetime().optional(),
  end_time: z.iso.datetime().optional(),
  exclude: list.optional(),
})
type Fields = z.output<typeof PostQuery>

/** The post object with the requested fields. */
export function shownPost(post: Post, query: Fields): Record<string, unknown> {
  const { text, links } = shortenLinks(
    post.text,
    post.media.map(({ key }) => key),
  )
  const all: Record<string, unknown> = {
    created_at: post.createdAt,
    author_id: post.author,
    conversation_id: post.conversation,
    ...(links.length > 0 && { entities: { urls: links } }),
    ...(post.media.length > 0 && { attachments: { media_keys: post.media.map(({ key }) => key) } }),
    ...(post.inReplyTo && { referenced_posts: [{ type: 'replied_to', id: post.inReplyTo }] }),
  }
  const requested = new Set([
    ...(query['post.fields'] ?? []),
    ...(query.expansions ?? []),
    ...(query.expansions?.includes('attachments.media_keys') ? ['attachments'] : []),
  ])
  return {
    id: post.id,
    text,
    edit_history_post_ids: [post.id],
    ...Object.fromEntries(Object.entries(all).filter(([name]) => requested.has(name))),
  }
}

/** A page of an author's posts, newest first. */
export function timeline(posts: Post[], query: z.output<typeof TimelineQuery>) {
  const after = (one: string, other: string) => BigInt(one) > BigInt(other)
  const matching = posts
    .filter((post) => !query.since_id || after(post.id, query.since_id))
    .filter((post) => !query.until_id || after(query.until_id, post.id))
    .filter(({ createdAt }) => !query.start_time || createdAt >= new Date(query.start_time).toISOString())
    .filter(({ createdAt }) => !query.end_time || createdAt < new Date(query.end_time).toISOString())
    .filter(({ inReplyTo }) => !query.exclude?.includes('replies') || !inReplyTo)
    .toReversed()
  const start = query.pagination_token ? Number(query.pagination_token.slice(1)) : 0
  const page = matching.slice(start, start + query.max_results)
  const next = start + page.length
  if (page.length === 0) return { meta: { result_count: 0 } }
  return {
    data: page.map((post) => shownPost(post, query)),
    meta: {
      result_count: page.length,
      newest_id: page[0]?.id,
      oldest_id: page.at(-1)?.id,
      ...(next < matching.length && { next_token: `p${next}` }),
    },
  }
}
