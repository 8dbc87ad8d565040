import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { type FieldError, invalid } from '#lib/errors.ts'
import type { PostMedia } from '../contract.ts'
import { acceptsImage, describeExcessImages, describeUnfitImage } from '../networks/limits.ts'
import type { Limits, Network } from '../networks/network.ts'
import { media } from '../schema.ts'
import { factsOf, type MediaRow, type Variant } from './files.ts'

interface Wanted {
  mediaId: string
  alt?: string
}

/** The images that one post is to have, and the field that names them. */
interface Choice {
  wanted: readonly Wanted[]
  paths: { media: string }
}

/** The images of one post, as `chosenMediaOf` chooses them. */
export const chosenMedia = async (db: Database, brandId: string, wanted: readonly Wanted[]): Promise<PostMedia[]> =>
  (await chosenMediaOf(db, brandId, [{ wanted, paths: { media: 'media' } }])).flat()

/**
 * The images of each post, in order, each with its alt text: the image's own where none is given. They are held, so
 * that they are not deleted before the posts are kept. Throws 422 for one that the brand doesn't have.
 */
export async function chosenMediaOf(db: Database, brandId: string, choices: readonly Choice[]): Promise<PostMedia[][]> {
  const all = choices.flatMap(({ wanted }) => wanted)
  const rows = all.length > 0 ? await heldMedia(db, brandId, all) : new Map<string, MediaRow>()
  const missing = choices.flatMap(({ wanted, paths }) =>
    wanted.flatMap(({ mediaId }, at) => (rows.has(mediaId) ? [] : [`${paths.media}.${at}.mediaId`])),
  )
  if (missing.length > 0)
    throw invalid([...new Set(missing)].map((path) => ({ path, message: 'This image doesn’t exist in this brand.' })))
  return choices.map(({ wanted }) =>
    wanted.map(({ mediaId, alt }) => ({ mediaId, alt: alt ?? rows.get(mediaId)?.alt ?? '' })),
  )
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
    return facts !== undefined && acceptsImage(limits, facts)
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
  const many = describeExcessImages(network, images.length, limits)
  if (many) return [{ path, message: many }]
  const rows = await mediaOf(db, brandId, images)
  return images.flatMap(({ mediaId }, at) => {
    const row = rows.get(mediaId)
    if (!row) return [{ path: `${path}.${at}`, message: 'This image was deleted.' }]
    return variantFor(row, limits) ? [] : [{ path: `${path}.${at}`, message: describeUnfitImage(network, limits, row) }]
  })
}
