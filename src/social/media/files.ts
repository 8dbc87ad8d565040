import type { Storage, StoredFile } from '#lib/storage.ts'
import type { MediaType, Rendition } from '../contract.ts'
import type { media } from '../schema.ts'

export type MediaRow = typeof media.$inferSelect
export type Variant = 'original' | Rendition

const variants: readonly Variant[] = ['original', 'thumb', 'preview', 'web']

/** Prefix of the names of a file and its copies: with its brand, never its organization (SOC-43). */
export const keyOf = ({ brandId, id }: Pick<MediaRow, 'brandId' | 'id'>): string => `social/${brandId}/${id}`

export const variantKey = (key: string, variant: Variant): string => `${key}.${variant}`

/** What `web` copies of videos have. */
const webCodecs = { videoCodec: 'h264', audioCodec: 'aac' } as const

export function propertiesOf(row: MediaRow, variant: Variant): Omit<MediaRow, 'renditions'> | undefined {
  if (variant === 'original') return row
  const copy = row.renditions[variant]
  return copy && { ...row, ...copy, ...(row.kind === 'video' && webCodecs) }
}

/** A file never changes under its ID, but copies of a video do when they are drawn again. */
export const cacheControlOf = ({ kind }: MediaRow, variant: Variant, isAddressedByHash: boolean): string =>
  kind === 'image' || variant === 'original' || isAddressedByHash
    ? 'private, max-age=2592000, immutable'
    : 'private, no-cache'

export const extensionOf = (contentType: MediaType): string =>
  contentType === 'video/quicktime' ? 'mov' : (contentType.split('/')[1] ?? 'bin')

export const readFile = (storage: Storage, row: MediaRow, variant: Variant): Promise<StoredFile | null> =>
  storage.read(variantKey(keyOf(row), variant))

export async function deleteFiles(storage: Storage, key: string): Promise<void> {
  await Promise.all(variants.map((variant) => storage.delete(variantKey(key, variant))))
}
