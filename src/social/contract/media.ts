import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { Timestamp } from '#lib/time.ts'

export const ImageType = z.enum(['image/jpeg', 'image/png', 'image/webp', 'image/gif'])
export type ImageType = z.infer<typeof ImageType>

/** Smaller copies of an image: for lists, for previews, and for networks that take no large files. */
export const Rendition = z.enum(['thumb', 'preview', 'web'])
export type Rendition = z.infer<typeof Rendition>

const ImageFacts = { contentType: ImageType, width: z.int(), height: z.int(), bytes: z.int() }

export const Media = z.object({
  id: Id,
  brandId: Id,
  name: z.string(),
  alt: z.string(),
  ...ImageFacts,
  sha256: z.string(),
  animated: z.boolean(),
  renditions: z.partialRecord(Rendition, z.object(ImageFacts)),
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
  mediaId: Id.nullable().describe('ID of the image in the library.'),
  failure: z.string().nullable(),
  createdBy: Id,
  createdAt: Timestamp,
  expiresAt: Timestamp.nullable().describe('When the upload is deleted; null for a complete video.'),
})
export type Upload = z.output<typeof Upload>
