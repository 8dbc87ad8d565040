import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { imageTypes } from '#lib/images/image-type.ts'
import { Timestamp } from '#lib/time.ts'

export const ImageType = z.enum(imageTypes)
export type ImageType = z.infer<typeof ImageType>

export const VideoType = z.enum(['video/mp4', 'video/quicktime', 'video/webm'])
export type VideoType = z.infer<typeof VideoType>

const DocumentType = z.enum(['application/pdf'])

export const MediaType = z.enum([...ImageType.options, ...VideoType.options, ...DocumentType.options])
export type MediaType = z.infer<typeof MediaType>

export const MediaKind = z.enum(['image', 'video', 'document'])
export type MediaKind = z.infer<typeof MediaKind>

/** Smaller copies of a file: for lists, for previews, and for networks that don’t take the original. */
export const Rendition = z.enum(['thumb', 'preview', 'web'])
export type Rendition = z.infer<typeof Rendition>

const size = { width: z.int(), height: z.int(), bytes: z.int() }

const orNull = (why: string) => z.int().nullable().describe(why)

/** The copy of a video that networks take: MP4 with H.264 and AAC. */
const Transcoding = z.object({
  state: z
    .enum(['waiting', 'running', 'completed', 'failed', 'unavailable'])
    .describe('`unavailable`: this server has no ffmpeg, so videos get no copy and no preview.'),
  percent: z.int().min(0).max(100),
  failure: z.string().nullable(),
})
export type Transcoding = z.infer<typeof Transcoding>

export const Media = z.object({
  id: Id,
  brandId: Id,
  kind: MediaKind,
  name: z.string(),
  alt: z.string(),
  tags: z.array(z.string()),
  contentType: MediaType,
  width: orNull('Pixels, upright. Null for documents, and for videos that can’t be read.'),
  height: orNull('Pixels, upright. Null for documents, and for videos that can’t be read.'),
  bytes: z.int(),
  sha256: z.string(),
  animated: z.boolean(),
  status: z
    .enum(['processing', 'ready', 'failed'])
    .describe('`processing`: the file is being read. `failed`: it can’t be read and has no preview; see `failure`.'),
  failure: z.string().nullable(),
  durationMs: orNull('Of a video or animated GIF.'),
  frames: orNull('Of an animated image.'),
  frameRate: z.number().nullable().describe('Frames of a video per second.'),
  rotation: orNull('Degrees by which a player turns a video: 0, 90, 180 or 270.'),
  videoCodec: z.string().nullable().describe('Such as `h264`, `hevc`, `vp9` or `av1`.'),
  audioCodec: z.string().nullable().describe('Such as `aac` or `opus`; null without sound.'),
  hasAudio: z.boolean().nullable().describe('Of a video.'),
  pages: orNull('Of a document.'),
  transcoding: Transcoding.nullable().describe('Null unless a copy of a video is needed for networks.'),
  renditions: z.partialRecord(
    Rendition,
    z.object({
      contentType: MediaType,
      ...size,
      sha256: z
        .string()
        .optional()
        .describe('Copies of videos can be drawn again. Missing for those of older releases.'),
    }),
  ),
  createdBy: Id,
  createdAt: Timestamp,
})
export type Media = z.output<typeof Media>

/** A resumable upload (tus 1.0). */
export const Upload = z.object({
  id: Id,
  brandId: Id,
  name: z.string(),
  alt: z.string(),
  status: z
    .enum(['uploading', 'processing', 'completed', 'failed'])
    .describe('`processing`: all bytes have arrived and the file is being checked. `failed`: see `failure`.'),
  length: z.int().describe('Length of the file in bytes.'),
  received: z.int().describe('Bytes received, which is the offset of the next chunk.'),
  contentType: z.string().nullable().describe('Detected from the content once the upload is complete.'),
  sha256: z.string().nullable().describe('Hash of the file as sent, once the upload is complete.'),
  mediaId: Id.nullable().describe('ID of the image, video or document in the library.'),
  failure: z.string().nullable(),
  createdBy: Id,
  createdAt: Timestamp,
  expiresAt: Timestamp.nullable().describe('When the upload is deleted. The file in the library remains.'),
})
export type Upload = z.output<typeof Upload>
