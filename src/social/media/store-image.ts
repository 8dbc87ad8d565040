import { recordChange } from '#lib/audit.ts'
import type { Provided } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { rethrowAsNothingDone } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import type { Edit } from '#lib/images/edit.ts'
import { prepare } from '#lib/images/prepare.ts'
import type { Image, PreparedImage } from '#lib/images/prepared.ts'
import type { Storage } from '#lib/storage.ts'
import type { Clock } from '#lib/time.ts'
import type { BrandRow } from '../brands/brands.ts'
import { Rendition } from '../contract/media.ts'
import { media } from '../schema.ts'
import { variantKey, keyOf, type MediaRow, type Variant } from './files.ts'
import { announceFiles, withdrawFiles } from './loose-files.ts'

/** Announced to the sweep until its row is inserted. */
interface StoredImage {
  id: string
  brandId: string
  prepared: PreparedImage
}

interface StoreCall extends Pick<Provided, 'config' | 'storage'> {
  db: Database
  now: Clock
}

/** Announced before they are written, so that the sweep finds them after a failure. @throws {Problem} 422, 429, 503 */
export async function storeImage(
  { db, now, storage, config }: StoreCall,
  brand: BrandRow,
  file: Uint8Array<ArrayBuffer>,
  edit?: Edit,
): Promise<StoredImage> {
  const { organizationId } = brand
  const prepared = await prepare({ file, organizationId, waitMs: config.IMAGE_WAIT_MS, ...(edit && { edit }) }).catch(
    rethrowAsNothingDone,
  )
  const at = { id: newId(), brandId: brand.id }
  const key = keyOf(at)
  await announceFiles({ db, now }, [key])
  for (const [variant, image] of imagesOf(prepared))
    await putFile(storage, key, variant, image).catch(rethrowAsNothingDone)
  return { ...at, prepared }
}

/** With its copies. */
export const storedBytesOf = ({ prepared }: StoredImage): number =>
  imagesOf(prepared).reduce((sum, [, { bytes }]) => sum + bytes, 0)

/** Inserts the row of an image whose files are stored, and withdraws them from the sweep. */
export async function insertImage(
  tx: Database,
  { id, brandId, prepared }: StoredImage,
  { name, alt, createdBy, createdAt }: Pick<MediaRow, 'name' | 'alt' | 'createdBy' | 'createdAt'>,
): Promise<MediaRow> {
  await withdrawFiles(tx, [keyOf({ id, brandId })])
  const values = { id, brandId, ...rowOf(prepared), name, alt, createdBy, createdAt }
  const [row] = await tx.insert(media).values(values).returning()
  if (!row) throw new Error('An image was not stored')
  recordChange(tx, { object: 'media', id: row.id, after: row })
  return row
}

const putFile = (storage: Storage, key: string, variant: Variant, { data, contentType }: Image): Promise<void> =>
  storage.put(variantKey(key, variant), data, contentType)

/** @returns what a row has about its copies */
export async function storeCopies(
  storage: Storage,
  key: string,
  copies: Partial<Record<Rendition, Image>>,
): Promise<MediaRow['renditions']> {
  const images = Rendition.options.flatMap((name) => {
    const image = copies[name]
    return image ? [[name, image] as const] : []
  })
  for (const [name, image] of images) await putFile(storage, key, name, image)
  return Object.fromEntries(images.map(([name, image]) => [name, propertiesOf(image)]))
}

const copiesOf = ({ thumb, preview, web }: PreparedImage): [Rendition, Image][] => [
  ['thumb', thumb],
  ['preview', preview],
  ...(web ? [['web', web] satisfies [Rendition, Image]] : []),
]

const imagesOf = (prepared: PreparedImage): [Variant, Image][] => [
  ['original', prepared.original],
  ...copiesOf(prepared),
]

const propertiesOf = ({ contentType, width, height, bytes, data }: Image) => ({
  contentType,
  width,
  height,
  bytes,
  sha256: new Bun.CryptoHasher('sha256').update(data).digest('hex'),
})

const rowOf = (prepared: PreparedImage) => ({
  ...propertiesOf(prepared.original),
  animated: prepared.animation !== null,
  ...prepared.animation,
  renditions: Object.fromEntries(copiesOf(prepared).map(([name, image]) => [name, propertiesOf(image)])),
})
