import type { Storage, StoredFile } from '#lib/storage.ts'
import type { Rendition } from '../contract.ts'
import type { KeptRendition, media } from '../schema.ts'

export type MediaRow = typeof media.$inferSelect
export type Variant = 'original' | Rendition

const variants: readonly Variant[] = ['original', 'thumb', 'preview', 'web']

/** A file never changes under its id, but permissions do. */
export const fileHeaders = {
  'Cache-Control': 'private, max-age=3600, immutable',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'same-origin',
}

/** What the names of an image's files begin with: its brand, never its organization (SOC-43). */
export const keyOf = ({ brandId, id }: Pick<MediaRow, 'brandId' | 'id'>): string => `social/${brandId}/${id}`

/** The name of one of its files. */
export const fileOf = (key: string, variant: Variant): string => `${key}.${variant}`

/** What is known of one of its files; undefined when it has no such rendition. */
export const factsOf = (row: MediaRow, variant: Variant): KeptRendition | undefined =>
  variant === 'original' ? row : row.renditions[variant]

/** One of its files; null when the storage has lost it. */
export const readFile = (storage: Storage, row: MediaRow, variant: Variant): Promise<StoredFile | null> =>
  storage.read(fileOf(keyOf(row), variant))

/** Deletes all files whose names begin with a key; fine when there are none. */
export async function deleteFiles(storage: Storage, key: string): Promise<void> {
  await Promise.all(variants.map((variant) => storage.delete(fileOf(key, variant))))
}
