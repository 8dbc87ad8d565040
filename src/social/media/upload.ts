import { eq } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { audited, auditedStep } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { nothingDone } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import type { Storage } from '#lib/storage.ts'
import * as brands from '../brands/brands.ts'
import type { Rendition } from '../contract.ts'
import { looseFiles, media } from '../schema.ts'
import { fileOf, keyOf, type MediaRow, type Variant } from './files.ts'
import type { MediaUpload } from './input.ts'
import { prepare } from './prepare.ts'
import type { Image, Prepared } from './prepared.ts'

/** Milliseconds after which the files of an upload that never ended belong to no image. */
const abandoned = 60 * 60 * 1000

/**
 * Keeps an image with its copies. The files are announced, then written, then belong to a row: when it breaks
 * off in between, the sweep still finds them. Throws 404 for the brand, 422 for the file, 429 and 503.
 */
export async function upload(call: Call<MediaUpload, Actor>): Promise<MediaRow> {
  const { db, actor, input, now, storage } = call
  const brand = await brands.get(db, actor, input.brandId)
  const prepared = await prepare(new Uint8Array(await input.file.arrayBuffer()), brand.organizationId).catch(
    nothingDone,
  )
  const at = { id: newId(), brandId: brand.id }
  const key = keyOf(at)
  await db.insert(looseFiles).values({ key, dueAt: new Date(now().getTime() + abandoned) })
  for (const [variant, image] of imagesOf(prepared)) await put(storage, key, variant, image).catch(nothingDone)
  return auditedStep(call, async (tx) => {
    const announced = await tx.delete(looseFiles).where(eq(looseFiles.key, key)).returning()
    if (announced.length === 0) throw new Error('The files of an upload were swept before it ended')
    const values = { ...at, ...rowOf(prepared), ...wordsOf(input), createdBy: actor.principal.id, createdAt: now() }
    const [row] = await tx.insert(media).values(values).returning()
    if (!row) throw new Error('An image was not kept')
    audited(tx, { object: 'media', id: row.id, after: row })
    return row
  })
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

const wordsOf = ({ name, alt = '', file }: MediaUpload) => ({ alt, name: name ?? baseName(file.name) })

/** A file's name without the folders that some clients send, and without what no text may hold. */
const baseName = (name: string): string =>
  (name.split(/[/\\]/).at(-1) ?? '')
    .replaceAll(/\p{Cc}/gu, '')
    .toWellFormed()
    .slice(0, 200)
