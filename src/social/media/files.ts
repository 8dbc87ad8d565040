import type { Storage, StoredFile } from '#lib/storage.ts'
import type { Rendition } from '../contract.ts'
import type { StoredRendition, media } from '../schema.ts'

export type MediaRow = typeof media.$inferSelect
export type Variant = 'original' | Rendition

const variants: readonly Variant[] = ['original', 'thumb', 'preview', 'web']

/** A file never changes under its id, but permissions do. */
export const fileHeaders = {
  'Cache-Control': 'private, max-age=3600, immutable',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'same-origin',
}

/** Prefix of the names of an image's files: with its brand, never its organization (SOC-43). */
export const keyOf = ({ brandId, id }: Pick<MediaRow, 'brandId' | 'id'>): string => `social/${brandId}/${id}`

export const variantKey = (key: string, variant: Variant): string => `${key}.${variant}`

export const propertiesOf = (row: MediaRow, variant: Variant): StoredRendition | undefined =>
  variant === 'original' ? row : row.renditions[variant]

export const readFile = (storage: Storage, row: MediaRow, variant: Variant): Promise<StoredFile | null> =>
  storage.read(variantKey(keyOf(row), variant))

export async function deleteFiles(storage: Storage, key: string): Promise<void> {
  await Promise.all(variants.map((variant) => storage.delete(variantKey(key, variant))))
}
