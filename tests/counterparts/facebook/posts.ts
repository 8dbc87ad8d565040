import { z } from 'zod'
import { graphError, invalidParameter } from '../graph/errors.ts'
import { fetchFault, fetchMedia } from '../graph/media.ts'
import { flag, type Params } from '../graph/params.ts'
import type { SentFile } from '../wire/call.ts'
import { parse, parseJson } from '../wire/call.ts'
import type { Uploads } from './uploads.ts'

/** A post of a Page or Group as readers see it. */
export interface Post {
  id: string
  owner: string
  message: string
  link: string | null
  photos: { id: string; alt: string; bytes: number }[]
  video: { id: string; title: string; bytes: number } | null
  createdAt: string
  comments: Comment[]
}

export interface Comment {
  id: string
  message: string
  /** The Page that wrote it. */
  from: string
  createdAt: string
}

export interface Photo {
  id: string
  owner: string
  alt: string
  bytes: number
  isUsed: boolean
}

export interface Video {
  id: string
  owner: string
  /** Status requests until it is ready. */
  busy: number
  isBroken: boolean
}

export const limits = { message: 63_206, photoBytes: 10 * 1024 * 1024 }

const message = z.string().max(limits.message)
const published = flag.optional()
const Feed = z
  .strictObject({
    message: message.optional(),
    link: z.url().optional(),
    published,
    attached_media: z.string().optional(),
  })
  .catchall(z.string())
const PhotoInput = z.strictObject({
  url: z.url().optional(),
  caption: message.optional(),
  message: message.optional(),
  alt_text_custom: z.string().max(1000).optional(),
  published,
  temporary: flag.optional(),
  no_story: flag.optional(),
})
const VideoInput = z.strictObject({
  file_url: z.url().optional(),
  fbuploader_video_file_chunk: z.string().optional(),
  title: z.string().max(255).optional(),
  description: message.optional(),
  published,
})
const MediaItem = z.strictObject({ media_fbid: z.string().regex(/^\d+$/) })

export interface FeedInput {
  message: string
  link: string | null
  media: string[]
}

/** A feed post: text, and a link or unpublished photos. */
export function readFeed(params: Params): FeedInput {
  const { message: text = '', link = null, published: isPublished = true, attached_media, ...rest } = params.read(Feed)
  if (!isPublished) throw invalidParameter('Unpublished posts are not part of this counterpart')
  const media = attached_media
    ? parse(z.array(MediaItem), parseJson(attached_media))
    : Object.entries(rest).map(([name, value]) => {
        if (!/^attached_media\[\d\]$/.test(name)) throw invalidParameter(`Unexpected parameter ${name}`)
        return parse(MediaItem, parseJson(value))
      })
  if (!text && !link && media.length === 0)
    throw graphError({ code: 100, message: '(#100) You must provide a message, a link or attached media' })
  if (link && media.length > 0) throw invalidParameter('A post has a link or attached media')
  return { message: text, link, media: media.map(({ media_fbid }) => media_fbid) }
}

/** A photo, fetched or sent. */
export async function readPhoto(params: Params) {
  const {
    url,
    caption,
    message: text,
    alt_text_custom: alt = '',
    published: isPublished = true,
  } = params.read(PhotoInput)
  const source = sourceOf(params)
  if (Boolean(url) === Boolean(source)) throw invalidParameter('Either url or source is required')
  const types = ['image/jpeg', 'image/png', 'image/gif', 'image/webp']
  const file = source ?? (await fetchMedia(url ?? '', types))
  if (!types.includes(file.type)) throw graphError({ ...fetchFault, code: 100, subcode: 2_069_019 })
  if (file.bytes.length > limits.photoBytes)
    throw graphError({
      code: 100,
      subcode: 1_366_046,
      message: '(#100) Your photos couldn’t be uploaded. Photos should be smaller than 10 MB.',
    })
  return { message: caption ?? text ?? '', alt, bytes: file.bytes.length, isPublished }
}

/** A video by URL, upload handle or in the body. */
export async function readVideo(params: Params, uploads: Uploads) {
  const { file_url, fbuploader_video_file_chunk: handle, title = '', description = '' } = params.read(VideoInput)
  const source = sourceOf(params)
  if ([file_url, handle, source].filter(Boolean).length !== 1)
    throw invalidParameter('One of file_url, fbuploader_video_file_chunk and source is required')
  if (handle) return { title, description, bytes: uploads.bytesOf(handle) }
  const file = source ?? (await fetchMedia(file_url ?? '', ['video/mp4', 'video/quicktime']))
  return { title, description, bytes: file.bytes.length }
}

function sourceOf({ files }: Params): SentFile | undefined {
  const strange = Object.keys(files).find((name) => name !== 'source')
  if (strange) throw invalidParameter(`Unexpected parameter ${strange}`)
  return files['source']
}

/** The post object of the API. */
export const shownPost = (post: Post) => ({
  id: post.id,
  message: post.message || undefined,
  created_time: `${post.createdAt.slice(0, 19)}+0000`,
  updated_time: `${post.createdAt.slice(0, 19)}+0000`,
  permalink_url: `https://www.facebook.com/${post.owner}/posts/${post.id.split('_')[1]}`,
  is_published: true,
  status_type: post.photos.length > 0 ? 'added_photos' : 'mobile_status_update',
  attachments: post.link ? { data: [{ type: 'share', url: post.link }] } : undefined,
  from: { id: post.owner },
})

/** The comment object of the API. */
export const shownComment = (comment: Comment, post: Post) => ({
  id: comment.id,
  message: comment.message,
  from: { id: comment.from },
  created_time: `${comment.createdAt.slice(0, 19)}+0000`,
  permalink_url: `https://www.facebook.com/${post.id}?comment_id=${comment.id.split('_')[1]}`,
  can_remove: true,
  comment_count: 0,
  like_count: 0,
})

/** The video object of the API, whose permalink has no host. */
export const shownVideo = (video: Video) => {
  const state = video.isBroken ? 'error' : 'ready'
  return {
    id: video.id,
    permalink_url: `/${video.owner}/videos/${video.id}/`,
    post_id: `${video.owner}_${video.id}`,
    published: true,
    status: {
      video_status: video.busy > 0 ? 'processing' : state,
      processing_phase: { status: video.busy > 0 ? 'in_progress' : 'complete' },
    },
  }
}
