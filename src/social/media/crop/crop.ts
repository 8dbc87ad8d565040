import type { Actor } from '#lib/actor.ts'
import { auditedTransaction } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { transact } from '#lib/db.ts'
import { conflict, notFound } from '#lib/errors.ts'
import { truncate } from '#lib/text.ts'
import * as brands from '../../brands/brands.ts'
import { readFile, type MediaRow } from '../files.ts'
import { requireRoom } from '../library/storage.ts'
import * as media from '../media.ts'
import { insertImage, storedBytesOf, storeImage } from '../store-image.ts'
import type { MediaCrop } from './input.ts'

/**
 * A new file of the library; the original and the posts that use it stay as they are.
 * @throws {Problem} 404, 409 for anything but an image, 422 for an animated one, and as an upload
 */
export async function cropImage(call: Call<MediaCrop, Actor>): Promise<MediaRow> {
  const { db, actor, input, storage, now, config } = call
  const row = await media.get(db, actor, input.id)
  if (row.kind !== 'image') throw conflict('not_an_image', 'Only images can be cropped or rotated.')
  const brand = await brands.get(db, actor, row.brandId)
  // Before anything is written: what is refused later is swept only after an hour.
  await transact(db, (tx) => requireRoom(tx, config, brand.organizationId, { length: 1 }))
  const file = await readFile(storage, row, 'original')
  if (!file) throw notFound('file')
  const bytes = new Uint8Array(await new Response(file.stream()).arrayBuffer())
  const { aspect, rotate, keep } = input
  const stored = await storeImage(call, brand, bytes, { ...(aspect && { aspect }), rotate, keep })
  const facts = { name: nameOf(row, input), alt: row.alt, createdBy: actor.principal.id, createdAt: now() }
  return auditedTransaction(call, async (tx) => {
    await requireRoom(tx, config, brand.organizationId, { length: storedBytesOf(stored) })
    return insertImage(tx, stored, facts)
  })
}

/** With its dot. */
const maxExtension = 10

/** Such as `latte 4:5.jpg`. */
function nameOf({ name }: MediaRow, { aspect, rotate }: MediaCrop): string {
  const dot = name.lastIndexOf('.')
  const hasExtension = dot > 0 && name.length - dot <= maxExtension
  const [base, extension] = hasExtension ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  const what = [aspect, rotate === 0 ? null : `${rotate}°`].filter(Boolean).join(' ')
  return `${truncate(base, 180 - extension.length)} ${what}${extension}`
}
