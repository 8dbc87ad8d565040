import { and, eq, inArray } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { invalid, notFound } from '#lib/errors.ts'
import { imageTypeOf } from '#lib/images/image-type.ts'
import type { ImageType } from '../contract.ts'
import { sandboxFiles } from '../schema.ts'
import type { Incoming } from './contract.ts'

export const maxBytes = 2_000_000

/** @throws {Problem} 422 */
export async function storeFile(db: Database, handle: string, bytes: Uint8Array): Promise<{ id: string }> {
  const contentType = imageTypeOf(bytes)
  if (!contentType)
    throw invalid([
      { path: 'file', message: 'Unsupported file type. The sandbox accepts JPEG, PNG, WebP and GIF images.' },
    ])
  if (bytes.byteLength > maxBytes)
    throw invalid([{ path: 'file', message: 'The image is too large. The sandbox accepts images of up to 2 MB.' }])
  const content = Buffer.from(bytes).toString('base64')
  const [file] = await db
    .insert(sandboxFiles)
    .values({ handle, contentType, content })
    .returning({ id: sandboxFiles.id })
  if (!file) throw new Error('The file was not written')
  return file
}

/** @throws {Problem} 404 */
export async function getFile(
  db: Database,
  handle: string,
  id: string,
): Promise<{ contentType: ImageType; bytes: Blob }> {
  const own = and(eq(sandboxFiles.handle, handle), eq(sandboxFiles.id, id))
  const [file] = await db.select().from(sandboxFiles).where(own)
  if (!file) throw notFound('file')
  return { contentType: file.contentType, bytes: new Blob([Uint8Array.fromBase64(file.content)]) }
}

/** @throws {Problem} 422 unless the account has uploaded every image of a post */
export async function requireFiles(db: Database, handle: string, media: Incoming['media']): Promise<void> {
  const ids = media.map(({ id }) => id)
  const own = and(eq(sandboxFiles.handle, handle), inArray(sandboxFiles.id, ids))
  const found = ids.length > 0 ? await db.select({ id: sandboxFiles.id }).from(sandboxFiles).where(own) : []
  if (found.length < new Set(ids).size)
    throw invalid([{ path: 'media', message: 'Every image must be uploaded first.' }])
}
