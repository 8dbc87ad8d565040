import { eq } from 'drizzle-orm'
import { recordChange } from '#lib/audit.ts'
import type { Provided } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { rethrowAsNothingDone } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import type { Storage } from '#lib/storage.ts'
import type { Clock } from '#lib/time.ts'
import type { BrandRow } from '../brands/brands.ts'
import type { Rendition } from '../contract.ts'
import { looseFiles, media } from '../schema.ts'
import { fileOf, keyOf, type MediaRow, type Variant } from './files.ts'
import { prepare } from './processing/prepare.ts'
import type { Image, Prepared } from './processing/prepared.ts'

/** Milliseconds after which the files of an unfinished upload are orphans. */
const abandoned = 60 * 60 * 1000

/** An image whose files are in the storage, and announced to the sweep until its row is inserted. */
interface Stored {
  id: string
  brandId: string
  prepared: Prepared
}

interface Keeper extends Pick<Provided, 'config' | 'storage'> {
  db: Database
  now: Clock
}

/**
 * Stores the files of an image and its copies. They are announced before they are written, so that the sweep finds them
 * after a failure. Throws 422 for the file, 429 and 503.
 */
export async function storeImage(
  { db, now, storage, config }: Keeper,
  brand: BrandRow,
  file: Uint8Array<ArrayBuffer>,
): Promise<Stored> {
  const { organizationId } = brand
  const prepared = await prepare({ file, organizationId, waitMs: config.IMAGE_WAIT_MS }).catch(rethrowAsNothingDone)
  const at = { id: newId(), brandId: brand.id }
  const key = keyOf(at)
  await db.insert(looseFiles).values({ key, dueAt: new Date(now().getTime() + abandoned) })
  for (const [variant, image] of imagesOf(prepared)) await put(storage, key, variant, image).catch(rethrowAsNothingDone)
  return { ...at, prepared }
}

/** Inserts the row of an image whose files are stored, and withdraws them from the sweep. */
export async function enterImage(
  tx: Database,
  { id, brandId, prepared }: Stored,
  { name, alt, createdBy, createdAt }: Pick<MediaRow, 'name' | 'alt' | 'createdBy' | 'createdAt'>,
): Promise<MediaRow> {
  const key = keyOf({ id, brandId })
  const announced = await tx.delete(looseFiles).where(eq(looseFiles.key, key)).returning()
  if (announced.length === 0) throw new Error('The files of an upload were deleted before it was complete')
  const values = { id, brandId, ...rowOf(prepared), name, alt, createdBy, createdAt }
  const [row] = await tx.insert(media).values(values).returning()
  if (!row) throw new Error('An image was not stored')
  recordChange(tx, { object: 'media', id: row.id, after: row })
  return row
}

const put = (storage: Storage, key: string, variant: Variant, { data, contentType }: Image): Promise<void> =>
  storage.put(fileOf(key, variant), data, contentType)

const copiesOf = ({ thumb, preview, web }: Prepared): [Rendition, Image][] => [
  ['thumb', thumb],
  ['preview', preview],
  ...(web ? [['web', web] satisfies [Rendition, Image]] : []),
]

const imagesOf = (prepared: Prepared): [Variant, Image][] => [['original', prepared.original], ...copiesOf(prepared)]

const factsOf = ({ contentType, width, height, bytes }: Image) => ({ contentType, width, height, bytes })

const rowOf = (prepared: Prepared) => ({
  ...factsOf(prepared.original),
  animated: prepared.animated,
  sha256: new Bun.CryptoHasher('sha256').update(prepared.original.data).digest('hex'),
  renditions: Object.fromEntries(copiesOf(prepared).map(([name, image]) => [name, factsOf(image)])),
})
