import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { howToSend, uploaded } from '#lib/images/uploaded.ts'
import { paging } from '#lib/paginate.ts'
import { optionalField, plainText } from '#lib/text.ts'
import { MediaKind, Provider, Rendition } from '../contract.ts'

export const maxBytes = 20 * 1024 * 1024

export const Alt = plainText(1500).trim()
export const FileName = plainText(200).trim()

export const Uploaded = uploaded(maxBytes)

const FileUrl = plainText(2000)
  .trim()
  .pipe(z.url({ protocol: /^https?$/, error: 'Enter a URL, such as https://example.com/latte.jpg.' }))

export const MediaUpload = z
  .object({
    brandId: Id,
    file: Uploaded.optional(),
    url: FileUrl.optional().describe('A URL from which the image is downloaded, instead of `file`.'),
    name: FileName.optional(),
    alt: Alt.optional(),
  })
  .superRefine(({ file, url }, context) => {
    if (!file && url === undefined) context.addIssue({ code: 'custom', path: ['file'], message: howToSend })
    if (file && url !== undefined)
      context.addIssue({ code: 'custom', path: ['url'], message: 'Send either file or url, not both.' })
  })
export type MediaUpload = z.output<typeof MediaUpload>

export const Tag = plainText(100).trim().min(1)

/** A form sends them as one text, separated by commas. */
export const Tags = z.preprocess(
  (value) => (typeof value === 'string' ? value.split(',').filter((tag) => tag.trim() !== '') : value),
  z.array(Tag).max(30),
)

const MediaTags = Tags.transform(withoutRepeats)

/** Tags that differ in case only are the same tag. */
export function withoutRepeats(tags: readonly string[]): string[] {
  const seen = new Map<string, string>()
  for (const tag of tags) if (!seen.has(tag.toLowerCase())) seen.set(tag.toLowerCase(), tag)
  return [...seen.values()]
}

export const MediaFilter = z.object({
  ...paging,
  brandId: Id.optional(),
  postId: Id.optional().describe('The files of this post.'),
  kind: optionalField(MediaKind),
  q: optionalField(plainText(200).trim()).describe('Words in the name, the alt text or the tags.'),
  tag: optionalField(Tag),
  used: optionalField(z.stringbool()).describe('Whether posts use it.'),
  alt: optionalField(z.enum(['missing'])).describe('`missing`: without alt text.'),
  fits: optionalField(Provider).describe('A network that accepts the file or its copy.'),
})
export type MediaFilter = z.output<typeof MediaFilter>

export const MediaEdit = z
  .object({ id: Id, name: FileName.optional(), alt: Alt.optional(), tags: MediaTags.optional() })
  .refine(
    (changes) => Object.entries(changes).some(([field, value]) => field !== 'id' && value !== undefined),
    'Send at least one field to change.',
  )

/** Each file writes a row of the audit log, and no request writes 200 rows. */
const maxChanged = 50

export const MediaBulkChange = z
  .object({
    ids: z.preprocess(
      (value) => (typeof value === 'string' ? value.split(',') : value),
      z
        .array(Id.toLowerCase())
        .min(1, 'Select at least one file.')
        .max(maxChanged, `Select at most ${maxChanged} files.`),
    ),
    action: z.enum(['tag', 'untag', 'delete']),
    tags: MediaTags.optional().describe('The tags to add or remove.'),
  })
  .refine(({ action, tags }) => action === 'delete' || Boolean(tags?.length), {
    path: ['tags'],
    message: 'Enter at least one tag.',
  })
export type MediaBulkChange = z.output<typeof MediaBulkChange>

export const MediaCopy = z.object({
  id: Id,
  rendition: Rendition,
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'Must be a SHA-256 in hexadecimal digits.')
    .optional()
    .describe('Of the copy, as in `renditions`: with it, the response can be cached for good.'),
})
