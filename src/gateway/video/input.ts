import { z } from 'zod'
import { isStorable } from '#lib/text.ts'
import { VideoPrivacy } from '../contract/video.ts'

/** What YouTube accepts. */
const maxVideoBytes = 256 * 1024 ** 3
const maxDescriptionBytes = 5_000
const maxTagCharacters = 500

const text = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .regex(/^[^<>]*$/, 'Must not contain < or >.')
    .refine(isStorable, 'Must be text without invalid characters.')

/** A tag with a space counts with quotation marks, and commas separate tags. */
const tagLength = (tags: readonly string[]): number =>
  tags.reduce((sum, tag) => sum + tag.length + (tag.includes(' ') ? 2 : 0), Math.max(tags.length - 1, 0))

export const NewVideo = z.object({
  title: text(100).trim().min(1),
  description: text(maxDescriptionBytes)
    .refine((description) => Buffer.byteLength(description) <= maxDescriptionBytes, 'Must have at most 5,000 bytes.')
    .default(''),
  tags: z
    .array(text(maxTagCharacters).trim().min(1))
    .refine((tags) => tagLength(tags) <= maxTagCharacters, 'Must have at most 500 characters together.')
    .default([]),
  categoryId: z
    .string()
    .regex(/^\d{1,3}$/, 'Must be the number of a category, such as 22.')
    .default('22')
    .describe('The category at YouTube; 22 is People & Blogs.'),
  privacy: VideoPrivacy.default('private'),
  madeForKids: z.boolean().default(false),
  notifySubscribers: z.boolean().default(true),
  length: z.int().min(1).max(maxVideoBytes).describe('Length of the file in bytes.'),
  contentType: z
    .string()
    .regex(/^(video\/[\w.+-]{1,100}|application\/octet-stream)$/, 'Must be a media type of a video, such as video/mp4.')
    .default('application/octet-stream'),
})
export type NewVideo = z.output<typeof NewVideo>
