import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { type FieldError, invalid } from '#lib/errors.ts'
import type { PostMedia } from '../contract.ts'
import { acceptsMedia, describeExcessMedia, describeMixedMedia, describeUnfitMedia } from '../networks/media-limits.ts'
import type { Limits, Network } from '../networks/network.ts'
import { media } from '../schema.ts'
import { propertiesOf, type MediaRow, type Variant } from './files.ts'

interface MediaReference {
  mediaId: string
  alt?: string
}

interface MediaChoice {
  wanted: readonly MediaReference[]
  paths: { media: string }
}

export const chooseMedia = async (
  db: Database,
  brandId: string,
  wanted: readonly MediaReference[],
): Promise<PostMedia[]> => (await chooseMediaOfPosts(db, brandId, [{ wanted, paths: { media: 'media' } }])).flat()

/** Locked, so that they aren't deleted before the posts are inserted. @throws {Problem} 422 */
export async function chooseMediaOfPosts(
  db: Database,
  brandId: string,
  choices: readonly MediaChoice[],
): Promise<PostMedia[][]> {
  const all = choices.flatMap(({ wanted }) => wanted)
  const rows = all.length > 0 ? await lockMedia(db, brandId, all) : new Map<string, MediaRow>()
  const missing = choices.flatMap(({ wanted, paths }) =>
    wanted.flatMap(({ mediaId }, at) => (rows.has(mediaId) ? [] : [`${paths.media}.${at}.mediaId`])),
  )
  if (missing.length > 0)
    throw invalid(
      [...new Set(missing)].map((path) => ({
        path,
        message: 'This file was deleted, or it belongs to another brand. Remove it.',
      })),
    )
  return choices.map(({ wanted }) =>
    wanted.map(({ mediaId, alt }) => ({ mediaId, alt: alt ?? rows.get(mediaId)?.alt ?? '' })),
  )
}

export async function getMediaById(
  db: Database,
  brandId: string,
  ids: readonly MediaReference[],
): Promise<Map<string, MediaRow>> {
  if (ids.length === 0) return new Map()
  return byId(await db.select().from(media).where(conditionOf(brandId, ids)))
}

/** Always in the same order, so that transactions don't deadlock. */
const lockMedia = async (
  db: Database,
  brandId: string,
  ids: readonly MediaReference[],
): Promise<Map<string, MediaRow>> =>
  byId(await db.select().from(media).where(conditionOf(brandId, ids)).orderBy(asc(media.id)).for('key share'))

const conditionOf = (brandId: string, ids: readonly MediaReference[]) =>
  and(eq(media.brandId, brandId), inArray(media.id, [...new Set(ids.map(({ mediaId }) => mediaId))]))

const byId = (rows: MediaRow[]) => new Map(rows.map((row) => [row.id, row]))

/** The file for a network: the original, or its smaller copy; null when the network accepts neither. */
export const variantFor = (row: MediaRow, limits: Limits): Variant | null =>
  (['original', 'web'] as const).find((variant) => {
    const facts = propertiesOf(row, variant)
    return facts !== undefined && acceptsMedia(limits, facts)
  }) ?? null

interface PostFiles {
  brandId: string
  media?: readonly PostMedia[]
}

/** Finds out why a network would reject a post's files (SOC-14). `path` is their field. */
export async function findMediaErrors(
  db: Database,
  { brandId, media: files = [] }: PostFiles,
  network: Network,
  limits: Limits,
  path?: string,
): Promise<FieldError[]> {
  return describeMediaErrors(await getMediaById(db, brandId, files), { files, network, limits, path })
}

interface CheckedFiles {
  files: readonly PostMedia[]
  network: Network
  limits: Limits
  path?: string
}

/** The same with files that were read before. */
export function describeMediaErrors(
  rows: ReadonlyMap<string, MediaRow>,
  { files, network, limits, path = 'media' }: CheckedFiles,
): FieldError[] {
  const many = describeExcessMedia(network, files.length, limits)
  if (many) return [{ path, message: many }]
  const found = files.flatMap(({ mediaId }) => rows.get(mediaId) ?? [])
  const mixed = describeMixedMedia(network, found, limits)
  if (mixed) return [{ path, message: mixed }]
  return files.flatMap(({ mediaId }, at) => {
    const row = rows.get(mediaId)
    if (!row) return [{ path: `${path}.${at}`, message: 'This file was deleted.' }]
    return variantFor(row, limits) ? [] : [{ path: `${path}.${at}`, message: describeUnfitMedia(network, limits, row) }]
  })
}
