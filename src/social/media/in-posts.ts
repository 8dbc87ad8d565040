import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { type FieldError, invalid } from '#lib/errors.ts'
import type { PostMedia } from '../contract.ts'
import { takesImage, tooMany, whyNot } from '../networks/limits.ts'
import type { Limits, Network } from '../networks/network.ts'
import { media } from '../schema.ts'
import { factsOf, type MediaRow, type Variant } from './files.ts'

interface Wanted {
  mediaId: string
  alt?: string
}

/**
 * The images that a post is to have, in order, each with its alt text: the image's own where none is given. They are
 * held, so that nobody deletes them before the post stands. Throws 422 for one that the brand doesn't have.
 */
export async function chosenMedia(
  db: Database,
  brandId: string,
  wanted: readonly Wanted[],
  path = 'media',
): Promise<PostMedia[]> {
  if (wanted.length === 0) return []
  const rows = await heldMedia(db, brandId, wanted)
  const missing = wanted.flatMap(({ mediaId }, at) => (rows.has(mediaId) ? [] : [at]))
  if (missing.length > 0)
    throw invalid(missing.map((at) => ({ path: `${path}.${at}.mediaId`, message: 'This brand has no such image.' })))
  return wanted.map(({ mediaId, alt }) => ({ mediaId, alt: alt ?? rows.get(mediaId)?.alt ?? '' }))
}

/** A brand's images by id. */
export async function mediaOf(db: Database, brandId: string, ids: readonly Wanted[]): Promise<Map<string, MediaRow>> {
  if (ids.length === 0) return new Map()
  return byId(await db.select().from(media).where(among(brandId, ids)))
}

/** The same, held for this transaction; always in one order, so that two who do this don't block. */
const heldMedia = async (db: Database, brandId: string, ids: readonly Wanted[]): Promise<Map<string, MediaRow>> =>
  byId(await db.select().from(media).where(among(brandId, ids)).orderBy(asc(media.id)).for('key share'))

const among = (brandId: string, ids: readonly Wanted[]) =>
  and(eq(media.brandId, brandId), inArray(media.id, [...new Set(ids.map(({ mediaId }) => mediaId))]))

const byId = (rows: MediaRow[]) => new Map(rows.map((row) => [row.id, row]))

/** Which file of an image a network is sent: the image itself, or its lighter copy; null when it takes neither. */
export const variantFor = (row: MediaRow, limits: Limits): Variant | null =>
  (['original', 'web'] as const).find((variant) => {
    const facts = factsOf(row, variant)
    return facts !== undefined && takesImage(limits, facts)
  }) ?? null

interface Carrier {
  brandId: string
  media?: readonly PostMedia[]
}

/** Why a network would refuse a post's images, else nothing (SOC-14); `path` is the field that holds them. */
export async function unfitMedia(
  db: Database,
  { brandId, media: images = [] }: Carrier,
  network: Network,
  limits: Limits,
  path = 'media',
): Promise<FieldError[]> {
  const many = tooMany(network, images.length, limits)
  if (many) return [{ path, message: many }]
  const rows = await mediaOf(db, brandId, images)
  return images.flatMap(({ mediaId }, at) => {
    const row = rows.get(mediaId)
    if (!row) return [{ path: `${path}.${at}`, message: 'This image is no longer there.' }]
    return variantFor(row, limits) ? [] : [{ path: `${path}.${at}`, message: whyNot(network, limits, row) }]
  })
}
