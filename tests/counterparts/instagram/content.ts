import sharp from 'sharp'
import { z } from 'zod'
import { graphError, invalidParameter, type GraphFault } from '../graph/errors.ts'
import { fetchMedia, type Fetched } from '../graph/media.ts'
import { flag, ids } from '../graph/params.ts'
import { secret } from '../wire/grants.ts'

type Kind = 'IMAGE' | 'VIDEO' | 'CAROUSEL_ALBUM'
type Product = 'FEED' | 'REELS' | 'STORY'

/** A post as followers see it. */
export interface Post {
  id: string
  owner: string
  kind: Kind
  product: Product
  caption: string
  media: { url: string; type: string; alt: string; bytes: number }[]
  createdAt: string
  shortcode: string
  comments: Comment[]
}

export interface Comment {
  id: string
  text: string
  /** The account that wrote it. */
  from: string
  createdAt: string
}

/** What a container holds. */
export interface Content {
  kind: Kind
  product: Product
  caption: string
  media: { file: Fetched; alt: string }[]
  isItem: boolean
}

export const limits = { caption: 2200, hashtags: 30, alt: 1000, imageBytes: 8 * 1024 * 1024, postsPerDay: 100 }

/** Parameters of a container. */
export const Create = z.strictObject({
  media_type: z.enum(['REELS', 'STORIES', 'CAROUSEL', 'VIDEO', 'IMAGE']).optional(),
  image_url: z.url().optional(),
  video_url: z.url().optional(),
  caption: z.string().optional(),
  alt_text: z.string().max(limits.alt).optional(),
  is_carousel_item: flag.optional(),
  children: ids.optional(),
  cover_url: z.url().optional(),
  thumb_offset: z.string().regex(/^\d+$/).optional(),
  share_to_feed: flag.optional(),
  audio_name: z.string().optional(),
  location_id: z.string().regex(/^\d+$/).optional(),
  user_tags: z.string().optional(),
  collaborators: z.string().optional(),
})
type Create = z.output<typeof Create>

const faults = {
  caption: {
    code: 36_004,
    subcode: 2_207_010,
    message: 'The caption was too long.',
    title: 'Caption Too Long',
    explanation: 'The caption is too long: at most 2,200 characters, 30 hashtags and 20 mentions.',
  },
  format: {
    code: 36_001,
    subcode: 2_207_005,
    message: 'The image format is not supported.',
    explanation: 'The image format is not supported. Supported formats are: JPEG.',
  },
  size: {
    code: 36_000,
    subcode: 2_207_004,
    message: 'The image is too large to download. It should be less than 8 MB.',
  },
  aspect: {
    code: 36_003,
    subcode: 2_207_009,
    message: 'The aspect ratio is not supported.',
    title: 'Unsupported aspect ratio',
    explanation: 'The submitted image with aspect ratio is outside the acceptable range of 4:5 to 1.91:1.',
  },
  carousel: {
    code: 100,
    subcode: 2_207_028,
    message: 'Carousel validation failed: it needs 2 to 10 finished items.',
  },
} satisfies Record<string, GraphFault>

/** The content of a container. @throws for what the parameters lack or have too much of. */
export async function readContent(input: Create, childOf: (id: string) => Content | undefined): Promise<Content> {
  const { media_type: type, image_url, video_url, children, caption = '', is_carousel_item: isItem = false } = input
  if (caption.length > limits.caption || (caption.match(/#\w/g)?.length ?? 0) > limits.hashtags)
    throw graphError(faults.caption)
  if (type === 'CAROUSEL') {
    if (!children || children.length < 2 || children.length > 10) throw graphError(faults.carousel)
    const items = children.map((id) => childOf(id))
    const media = items.flatMap((item) => (item?.isItem ? item.media : []))
    if (media.length < children.length) throw graphError(faults.carousel)
    return { kind: 'CAROUSEL_ALBUM', product: 'FEED', caption, media, isItem: false }
  }
  if (children) throw invalidParameter('children is only for media_type CAROUSEL')
  if (isItem && caption) throw invalidParameter('caption is not allowed on items of a carousel')
  const alt = input.alt_text ?? ''
  if (video_url && !image_url) {
    if (type === 'VIDEO' ? !isItem : type !== 'REELS' && type !== 'STORIES')
      throw graphError({
        code: 100,
        subcode: 2_207_067,
        message: 'The VIDEO value for media_type is no longer supported. Use the REELS media type.',
      })
    const file = await fetchMedia(video_url, ['video/mp4', 'video/quicktime'])
    return { kind: 'VIDEO', product: productOf(type), caption, media: [{ file, alt }], isItem }
  }
  if (!image_url || video_url) throw invalidParameter('The parameter image_url is required')
  if (type === 'REELS' || type === 'VIDEO') throw invalidParameter('The parameter video_url is required')
  const file = await fetchMedia(image_url, ['image/jpeg', 'image/png', 'image/webp', 'image/gif'])
  await checkImage(file)
  return { kind: 'IMAGE', product: productOf(type), caption, media: [{ file, alt }], isItem }
}

function productOf(type: Create['media_type']): Product {
  if (type === 'STORIES') return 'STORY'
  return type === 'REELS' ? 'REELS' : 'FEED'
}

async function checkImage({ bytes }: Fetched): Promise<void> {
  if (bytes.length > limits.imageBytes) throw graphError(faults.size)
  const { format, width, height } = await sharp(bytes)
    .metadata()
    .catch(() => ({ format: '', width: 0, height: 1 }))
  if (format !== 'jpeg') throw graphError(faults.format)
  const aspect = width / height
  if (aspect < 0.8 - 0.01 || aspect > 1.91 + 0.01) throw graphError(faults.aspect)
}

export const newPost = (id: string, owner: string, { kind, product, caption, media }: Content, at: number): Post => ({
  id,
  owner,
  kind,
  product,
  caption,
  media: media.map(({ file, alt }) => ({ url: file.url, type: file.type, alt, bytes: file.bytes.length })),
  createdAt: new Date(at).toISOString(),
  shortcode: secret(8),
  comments: [],
})

/** The comment object of the API. */
export const shownComment = ({ id, text, from, createdAt }: Comment, username: string) => ({
  id,
  text,
  from: { id: from, username },
  username,
  timestamp: `${createdAt.slice(0, 19)}+0000`,
  hidden: false,
  like_count: 0,
})

/** The media object of the API. */
export const shownPost = (post: Post, username: string) => ({
  id: post.id,
  caption: post.caption || undefined,
  media_type: post.kind,
  media_product_type: post.product,
  media_url: post.kind === 'CAROUSEL_ALBUM' ? undefined : post.media[0]?.url,
  alt_text: post.media[0]?.alt,
  permalink: `https://www.instagram.com/${post.product === 'REELS' ? 'reel' : 'p'}/${post.shortcode}/`,
  shortcode: post.shortcode,
  timestamp: `${post.createdAt.slice(0, 19)}+0000`,
  username,
  comments_count: post.comments.length,
  like_count: 0,
  is_comment_enabled: true,
})
