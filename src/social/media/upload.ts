import type { Actor } from '#lib/actor.ts'
import { auditedTransaction } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { transact } from '#lib/db.ts'
import * as brands from '../brands/brands.ts'
import type { MediaRow } from './files.ts'
import type { MediaUpload } from './input.ts'
import { download } from './download.ts'
import { requireRoom } from './library/storage.ts'
import { insertImage, storedBytesOf, storeImage } from './store-image.ts'

/** @throws {Problem} 404 for the brand, 422 for the file or its URL, 409, 429 and 503 */
export async function upload(call: Call<MediaUpload, Actor>): Promise<MediaRow> {
  const { db, actor, input, now, config } = call
  const brand = await brands.get(db, actor, input.brandId)
  // Before anything is downloaded or written: what is refused later is swept only after an hour.
  await transact(db, (tx) => requireRoom(tx, config, brand.organizationId, { length: input.file?.size ?? 1 }))
  const file = input.file ?? (await download(call, input.url ?? ''))
  const stored = await storeImage(call, brand, new Uint8Array(await file.arrayBuffer()))
  const { name = baseName(file.name), alt = '' } = input
  const facts = { name, alt, createdBy: actor.principal.id, createdAt: now() }
  return auditedTransaction(call, async (tx) => {
    await requireRoom(tx, config, brand.organizationId, { length: storedBytesOf(stored) })
    return insertImage(tx, stored, facts)
  })
}

/** A file's name without the folders that some clients send, and without characters that texts can't contain. */
const baseName = (name: string): string =>
  (name.split(/[/\\]/).at(-1) ?? '')
    .replaceAll(/\p{Cc}/gu, '')
    .toWellFormed()
    .slice(0, 200)
