import { z } from 'zod'
import { graphError, invalidParameter, type GraphFault } from '../graph/errors.ts'
import { fetchMedia, type Fetched } from '../graph/media.ts'
import { flag, ids } from '../graph/params.ts'

/** A post as readers see it. */
export interface Post {
  id: string
  author: string
  text: string
  kind: 'TEXT' | 'IMAGE' | 'VIDEO' | 'CAROUSEL'
  media: { url: string; type: string; alt: string; bytes: number }[]
  link: string | null
  replyTo: string | null
  root: string
  createdAt: string
  shortcode: string
}

/** What a container holds. */
export interface Content {
  kind: Post['kind']
  text: string
  media: { file: Fetched; alt: string }[]
  link: string | null
  replyTo: string | null
  isItem: boolean
}

export const limits = { text: 500, alt: 1000, carousel: 20, postsPerDay: 250, repliesPerDay: 1000 }
const types = { IMAGE: ['image/jpeg', 'image/png'], VIDEO: ['video/mp4', 'video/quicktime'] }

/** Parameters of a container. */
export const Create = z.strictObject({
  media_type: z.enum(['TEXT', 'IMAGE', 'VIDEO', 'CAROUSEL']),
  text: z.string().optional(),
  image_url: z.url().optional(),
  video_url: z.url().optional(),
  is_carousel_item: flag.optional(),
  children: ids.optional(),
  reply_to_id: z.string().regex(/^\d+$/).optional(),
  reply_control: z
    .enum(['everyone', 'accounts_you_follow', 'mentioned_only', 'parent_post_author_only', 'followers_only'])
    .optional(),
  link_attachment: z.url().optional(),
  alt_text: z.string().max(limits.alt).optional(),
  topic_tag: z.string().min(1).max(50).optional(),
  auto_publish_text: flag.optional(),
})
type Create = z.output<typeof Create>

export const tooLong: GraphFault = {
  code: 100,
  message: '(#100) Param text must be at most 500 characters long.',
}

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Characters, of which emoji count as many as they have bytes. */
export function lengthOf(text: string): number {
  let length = 0
  for (const { segment } of segmenter.segment(text))
    length += /\p{Extended_Pictographic}/u.test(segment) ? Buffer.byteLength(segment) : [...segment].length
  return length
}

/** The content of a container. @throws for what the parameters lack or have too much of. */
export async function readContent(
  input: Create,
  childOf: (id: string) => Content | undefined,
  isPost: (id: string) => boolean,
): Promise<Content> {
  const { media_type: kind, text = '', image_url, video_url, children } = input
  const base = {
    kind,
    text,
    link: input.link_attachment ?? null,
    replyTo: input.reply_to_id ?? null,
    isItem: input.is_carousel_item ?? false,
  }
  if (lengthOf(text) > limits.text) throw graphError(tooLong)
  if (base.replyTo && !isPost(base.replyTo))
    throw graphError({ code: 100, subcode: 2_207_006, message: 'The replied to media does not exist.' })
  if (base.link && kind !== 'TEXT') throw invalidParameter('link_attachment is only for media_type TEXT')
  if (kind === 'TEXT') {
    if (!text) throw invalidParameter('The parameter text is required')
    return { ...base, media: [] }
  }
  if (kind === 'CAROUSEL') {
    if (!children || children.length < 2 || children.length > limits.carousel)
      throw graphError({ code: 100, subcode: 2_207_028, message: 'A carousel has 2 to 20 items.' })
    const items = children.map((id) => childOf(id))
    const media = items.flatMap((item) => (item?.isItem ? item.media : []))
    if (media.length < children.length)
      throw graphError({ code: 100, subcode: 2_207_028, message: 'A child is not a finished carousel item.' })
    return { ...base, media }
  }
  const [url, other] = kind === 'IMAGE' ? [image_url, video_url] : [video_url, image_url]
  if (!url || other) throw invalidParameter(`The parameter ${kind.toLowerCase()}_url is required, alone`)
  return { ...base, media: [{ file: await fetchMedia(url, types[kind]), alt: input.alt_text ?? '' }] }
}

/** The media object of the API. */
export const shownPost = (post: Post, username: string) => ({
  id: post.id,
  media_product_type: 'THREADS',
  media_type: { TEXT: 'TEXT_POST', IMAGE: 'IMAGE', VIDEO: 'VIDEO', CAROUSEL: 'CAROUSEL_ALBUM' }[post.kind],
  permalink: `https://www.threads.net/@${username}/post/${post.shortcode}`,
  owner: { id: post.author },
  username,
  text: post.text,
  timestamp: `${post.createdAt.slice(0, 19)}+0000`,
  shortcode: post.shortcode,
  is_quote_post: false,
  has_replies: false,
  is_reply: post.replyTo !== null,
  link_attachment_url: post.link ?? undefined,
  alt_text: post.media[0]?.alt,
  media_url: post.media[0]?.url,
  replied_to: post.replyTo === null ? undefined : { id: post.replyTo },
  root_post: post.replyTo === null ? undefined : { id: post.root },
})
