export const imageTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/gif'] as const
export type ImageType = (typeof imageTypes)[number]

/** Bytes at the beginning of a file that identify its type. */
export const headBytes = 64

/** The first bytes of image types in hexadecimal; a dot is any digit. */
const signatures: [RegExp, ImageType][] = [
  [/^ffd8ff/, 'image/jpeg'],
  [/^89504e470d0a1a0a/, 'image/png'],
  [/^52494646.{8}57454250/, 'image/webp'],
  [/^47494638(37|39)61/, 'image/gif'],
]

export const imageTypeOf = (file: Uint8Array): ImageType | null => typeAmong(signatures, file)

/** The type whose signature the file begins with. */
export function typeAmong<Type>(among: readonly [RegExp, Type][], file: Uint8Array): Type | null {
  const head = file.subarray(0, headBytes).toHex()
  return among.find(([begins]) => begins.test(head))?.[1] ?? null
}
