import type { ImageType, MediaKind, MediaType } from '../contract.ts'

/** Bytes at the beginning of a file that identify its type. */
export const headBytes = 64

/** The first bytes of image types in hexadecimal; a dot is any digit. */
const images: [RegExp, ImageType][] = [
  [/^ffd8ff/, 'image/jpeg'],
  [/^89504e470d0a1a0a/, 'image/png'],
  [/^52494646.{8}57454250/, 'image/webp'],
  [/^47494638(37|39)61/, 'image/gif'],
]

/** For videos `ftyp` with `qt  ` or any other brand, and EBML with the document type `webm`; for PDFs `%PDF-1` or `-2`. */
const others: [RegExp, MediaType][] = [
  [/^.{8}6674797071742020/, 'video/quicktime'],
  [/^.{8}66747970/, 'video/mp4'],
  [/^1a45dfa3(..)*?7765626d/, 'video/webm'],
  [/^255044462d3[12]2e/, 'application/pdf'],
]

export const imageTypeOf = (file: Uint8Array): ImageType | null => typeAmong(images, file)

export const fileTypeOf = (file: Uint8Array): MediaType | null => typeAmong<MediaType>([...images, ...others], file)

export const kindOf = (type: MediaType): MediaKind => {
  if (type.startsWith('image/')) return 'image'
  return type.startsWith('video/') ? 'video' : 'document'
}

function typeAmong<Type>(signatures: readonly [RegExp, Type][], file: Uint8Array): Type | null {
  const head = file.subarray(0, headBytes).toHex()
  return signatures.find(([begins]) => begins.test(head))?.[1] ?? null
}
