import { z } from 'zod'
import type { Call } from '../wire/call.ts'
import { unprocessable } from './errors.ts'
import { readLittleText } from './little-text.ts'
import type { Asset } from './media.ts'

export interface Comment {
  id: string
  actor: string
  text: string
}

/** A post as readers see it. */
export interface Post {
  urn: string
  author: string
  /** As readers see it. */
  text: string
  /** As it was sent. */
  commentary: string
  article: { source: string; title: string; description?: string; thumbnail?: string } | null
  media: { urn: string; alt: string; title: string; bytes: number }[]
  visibility: string
  createdAt: number
  editedAt: number | null
  comments: Comment[]
}

export const limits = { commentary: 3000, comment: 1250, alt: 4086 }

const urn = (kinds: string) => z.string().regex(new RegExp(`^urn:li:(${kinds}):[\\w-]+$`))
const commentary = z.string()
const image = z.strictObject({ id: urn('image'), altText: z.string().max(limits.alt).optional() })
const Content = z.union([
  z.strictObject({
    media: z.strictObject({
      id: urn('image|video|document'),
      title: z.string().optional(),
      altText: z.string().max(limits.alt).optional(),
    }),
  }),
  z.strictObject({
    multiImage: z.strictObject({ images: z.array(image).min(2).max(20), altText: z.string().optional() }),
  }),
  z.strictObject({
    article: z.strictObject({
      source: z.url(),
      title: z.string().min(1).max(400),
      description: z.string().max(4086).optional(),
      thumbnail: urn('image').optional(),
      thumbnailAltText: z.string().optional(),
    }),
  }),
])
const Create = z.strictObject({
  author: urn('person|organization'),
  commentary,
  visibility: z.enum(['PUBLIC', 'CONNECTIONS', 'LOGGED_IN']),
  distribution: z.strictObject({
    feedDistribution: z.enum(['MAIN_FEED', 'NONE']),
    targetEntities: z.array(z.never()).optional(),
    thirdPartyDistributionChannels: z.array(z.never()).optional(),
  }),
  content: Content.optional(),
  lifecycleState: z.literal('PUBLISHED'),
  isReshareDisabledByAuthor: z.boolean().optional(),
})
const Update = z.strictObject({ patch: z.strictObject({ $set: z.strictObject({ commentary }) }) })
const CreateComment = z.strictObject({
  actor: urn('person|organization'),
  object: urn('share|ugcPost|activity'),
  message: z.strictObject({ text: z.string().min(1).max(limits.comment) }),
  parentComment: z.string().optional(),
})

/** A valid creation, not yet kept. */
export function readPost(
  call: Call,
  attached: (urn: string, author: string) => Asset,
  made: { id: string; at: number },
): Post {
  const { author, commentary: text, content, visibility } = call.json(Create)
  const files = content && 'media' in content ? [content.media] : []
  if (content && 'multiImage' in content) files.push(...content.multiImage.images)
  const media = files.map((file) => {
    const { urn: id, parts } = attached(file.id, author)
    const bytes = parts.reduce((sum, part) => sum + (part?.length ?? 0), 0)
    return { urn: id, alt: file.altText ?? '', title: file.title ?? '', bytes }
  })
  const article = content && 'article' in content ? content.article : null
  if (article?.thumbnail) attached(article.thumbnail, author)
  if (!text && !content) throw unprocessable('commentary', 'Either commentary or content is required')
  const isVideo = media.some(({ urn: id }) => id.startsWith('urn:li:video:'))
  return {
    urn: `urn:li:${isVideo ? 'ugcPost' : 'share'}:${made.id}`,
    author,
    text: readText(text),
    commentary: text,
    article,
    media,
    visibility,
    createdAt: made.at,
    editedAt: null,
    comments: [],
  }
}

export function editPost(call: Call, post: Post, at: number): void {
  const { commentary: text } = call.json(Update).patch.$set
  Object.assign(post, { text: readText(text), commentary: text, editedAt: at })
}

export const readComment = (call: Call) => call.json(CreateComment)

function readText(text: string): string {
  const read = readLittleText(text)
  if (read.length > limits.commentary)
    throw unprocessable('commentary', `length is ${read.length}, greater than ${limits.commentary}`)
  return read
}

/** The post object of the API. */
export const shownPost = (post: Post) => ({
  id: post.urn,
  author: post.author,
  commentary: post.commentary,
  visibility: post.visibility,
  lifecycleState: 'PUBLISHED',
  distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
  isReshareDisabledByAuthor: false,
  createdAt: post.createdAt,
  publishedAt: post.createdAt,
  lastModifiedAt: post.editedAt ?? post.createdAt,
  lifecycleStateInfo: { isEditedByAuthor: post.editedAt !== null },
  ...contentOf(post),
})

function contentOf({ article, media }: Post) {
  if (article) return { content: { article } }
  const [first] = media
  if (!first) return {}
  if (media.length === 1) return { content: { media: { id: first.urn, altText: first.alt, title: first.title } } }
  return { content: { multiImage: { images: media.map(({ urn: id, alt }) => ({ id, altText: alt })) } } }
}
