import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { paging } from '#lib/paginate.ts'
import { plainText } from '#lib/text.ts'
import { MediaKind, Rendition } from '../contract.ts'

export const maxBytes = 20 * 1024 * 1024

export const Alt = plainText(1500).trim()
export const FileName = plainText(200).trim()

/** A file of a form or the body itself; in JSON its bytes as base64, within the 1 MiB of a body. */
export const Uploaded = z.union(
  [
    z.file().min(1).max(maxBytes),
    z
      .base64()
      .min(1)
      .transform((text) => new File([Uint8Array.fromBase64(text)], '')),
  ],
  'Send the file as a part of a form, as the body, or as base64 in JSON.',
)

export const MediaUpload = z.object({ brandId: Id, file: Uploaded, name: FileName.optional(), alt: Alt.optional() })
export type MediaUpload = z.output<typeof MediaUpload>

export const MediaFilter = z.object({
  ...paging,
  brandId: Id.optional(),
  postId: Id.optional().describe('The files of this post.'),
  kind: MediaKind.optional(),
})

export const MediaEdit = z
  .object({ id: Id, name: FileName.optional(), alt: Alt.optional() })
  .refine(({ name, alt }) => name !== undefined || alt !== undefined, 'Send at least one field to change.')

export const MediaFile = z.object({ id: Id, rendition: Rendition.optional() })
