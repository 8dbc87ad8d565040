import { and, asc, eq, inArray } from 'drizzle-orm'
import type { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { recordChange } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { conflict } from '#lib/errors.ts'
import { byId, type PageOf } from '#lib/paginate.ts'
import { explainAbsence, withinTenant } from '../access.ts'
import * as brands from '../brands/brands.ts'
import type { ImageGeneration } from '../contract.ts'
import type { MediaRow } from '../media/files.ts'
import { generatedImages, imageGenerations, media } from '../schema.ts'
import { announce } from './announce.ts'
import type { ImageFilter } from './input.ts'

export type GenerationRow = typeof imageGenerations.$inferSelect
/** With dates, before it is sent. */
export type StoredGeneration = z.input<typeof ImageGeneration>

type ReadCall = Pick<Call<unknown, Actor>, 'db' | 'actor' | 'identity'>

const own = (db: Database, actor: Actor, id: string) =>
  and(eq(imageGenerations.id, id), withinTenant(db, actor, imageGenerations.brandId))

const brandOf = (db: Database, id: string) =>
  db.select({ id: imageGenerations.brandId }).from(imageGenerations).where(eq(imageGenerations.id, id))

/** @throws {Problem} 404 for a brand of another organization, 422 for another list's cursor */
export async function list(call: ReadCall, filter: ImageFilter): Promise<PageOf<StoredGeneration>> {
  const { db, actor } = call
  const { brandId, status, ...page } = filter
  const brand = brandId ? await brands.get(db, actor, brandId) : null
  const slice = byId(imageGenerations.id, 'desc').slice(page)
  const scope = brand ? eq(imageGenerations.brandId, brand.id) : withinTenant(db, actor, imageGenerations.brandId)
  const rows = await db
    .select()
    .from(imageGenerations)
    .where(and(scope, status ? eq(imageGenerations.status, status) : undefined, slice.where))
    .orderBy(...slice.order)
    .limit(slice.limit)
  const { items, nextCursor } = slice.page(rows)
  return { items: await present(call, items), nextCursor }
}

/** @throws {Problem} 404 */
export async function get(call: ReadCall, id: string): Promise<StoredGeneration> {
  const { db, actor } = call
  const rows = await db
    .select()
    .from(imageGenerations)
    .where(own(db, actor, id))
  const [found] = await present(call, rows)
  if (!found) throw await explainAbsence(db, actor, 'generation', brandOf(db, id))
  return found
}

/** Its images stay in the library. @throws {Problem} 404, 409 while it runs */
export async function remove(call: ReadCall & Pick<Call, 'events'>, id: string): Promise<void> {
  const { db, actor } = call
  const [row] = await db
    .select()
    .from(imageGenerations)
    .where(own(db, actor, id))
    .for('update')
  if (!row) throw await explainAbsence(db, actor, 'generation', brandOf(db, id))
  if (row.status === 'generating')
    throw conflict('generation_in_progress', 'This is still being generated. Delete it when it has finished.')
  await db.delete(imageGenerations).where(eq(imageGenerations.id, id))
  recordChange(db, { object: 'image generation', id, before: row })
  await announce(db, call, row)
}

export async function present(
  { db, identity }: Pick<ReadCall, 'db' | 'identity'>,
  rows: readonly GenerationRow[],
): Promise<StoredGeneration[]> {
  const [images, people] = await Promise.all([
    readImages(db, rows),
    identity.people([...new Set(rows.map(({ createdBy }) => createdBy))]),
  ])
  return rows.map(({ failureCode, failureMessage, ...row }) => ({
    ...row,
    images: images.get(row.id) ?? [],
    failure: failureCode === null ? null : { code: failureCode, message: failureMessage ?? '' },
    createdByName: people.get(row.createdBy)?.name ?? null,
  }))
}

async function readImages(db: Database, rows: readonly GenerationRow[]): Promise<Map<string, MediaRow[]>> {
  const found = new Map<string, MediaRow[]>()
  if (rows.length === 0) return found
  const ids = rows.map(({ id }) => id)
  const joined = await db
    .select({ generationId: generatedImages.generationId, image: media })
    .from(generatedImages)
    .innerJoin(media, eq(media.id, generatedImages.mediaId))
    .where(inArray(generatedImages.generationId, ids))
    .orderBy(asc(generatedImages.generationId), asc(generatedImages.position))
  for (const { generationId, image } of joined) found.set(generationId, [...(found.get(generationId) ?? []), image])
  return found
}
