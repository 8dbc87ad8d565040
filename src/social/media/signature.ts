import type { ImageType } from '../contract.ts'

/** How the kinds of images begin, in hexadecimal; a dot stands for any digit. */
const signatures: [RegExp, ImageType][] = [
  [/^ffd8ff/, 'image/jpeg'],
  [/^89504e470d0a1a0a/, 'image/png'],
  [/^52494646.{8}57454250/, 'image/webp'],
  [/^47494638(37|39)61/, 'image/gif'],
]

/** What a file is by its content; null for anything else than these images. */
export function imageTypeOf(file: Uint8Array): ImageType | null {
  const head = file.subarray(0, 12).toHex()
  return signatures.find(([begins]) => begins.test(head))?.[1] ?? null
}
