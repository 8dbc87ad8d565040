import { imageTypeOf, typeAmong } from '#lib/images/image-type.ts'
import type { MediaKind, MediaType } from '../contract.ts'

/** For videos `ftyp` with `qt  ` or any other brand, and EBML with the document type `webm`; for PDFs `%PDF-1` or `-2`. */
const others: [RegExp, MediaType][] = [
  [/^.{8}6674797071742020/, 'video/quicktime'],
  [/^.{8}66747970/, 'video/mp4'],
  [/^1a45dfa3(..)*?7765626d/, 'video/webm'],
  [/^255044462d3[12]2e/, 'application/pdf'],
]

export const fileTypeOf = (file: Uint8Array): MediaType | null => imageTypeOf(file) ?? typeAmong(others, file)

export const kindOf = (type: MediaType): MediaKind => {
  if (type.startsWith('image/')) return 'image'
  return type.startsWith('video/') ? 'video' : 'document'
}
