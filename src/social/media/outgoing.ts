import type { Database } from '#lib/db.ts'
import type { Storage } from '#lib/storage.ts'
import type { PostMedia } from '../contract.ts'
import type { Limits, OutgoingMedia } from '../networks/network.ts'
import { propertiesOf, variantKey, keyOf, type Variant } from './files.ts'
import { getMediaById, variantFor } from './in-posts.ts'

interface Post {
  brandId: string
  media: readonly PostMedia[]
}

/** `urlOf` makes a link that a network can fetch. Null when a file is missing. @throws when the storage is unavailable */
export async function loadOutgoingMedia(
  db: Database,
  storage: Storage,
  { brandId, media }: Post,
  { limits, urlOf }: { limits: Limits; urlOf(file: { id: string; variant: Variant }): string },
): Promise<OutgoingMedia[] | null> {
  const rows = await getMediaById(db, brandId, media)
  const outgoing: OutgoingMedia[] = []
  for (const { mediaId, alt } of media) {
    const row = rows.get(mediaId)
    const variant = row && variantFor(row, limits)
    const facts = variant && propertiesOf(row, variant)
    if (!facts) return null
    const file = await storage.read(variantKey(keyOf(row), variant))
    if (!file) return null
    const { contentType, width, height, durationMs } = facts
    outgoing.push({
      name: row.name,
      contentType,
      width,
      height,
      durationMs,
      alt,
      size: file.size,
      url: urlOf({ id: row.id, variant }),
      bytes: () => file.bytes(),
      slice: (from, end) => readAll(file.stream({ from, end: Math.min(end, file.size) })),
    })
  }
  return outgoing
}

const readAll = async (stream: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await new Response(stream).arrayBuffer())
