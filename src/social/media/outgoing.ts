import type { Database } from '#lib/db.ts'
import type { Storage } from '#lib/storage.ts'
import type { PostMedia } from '../contract.ts'
import type { Limits, OutgoingMedia } from '../networks/network.ts'
import { factsOf, fileOf, keyOf } from './files.ts'
import { mediaOf, variantFor } from './in-posts.ts'

interface Post {
  brandId: string
  media: readonly PostMedia[]
}

/** A post's images as its network is sent them; null when a file is not there. Throws when the storage is away. */
export async function outgoingMedia(
  db: Database,
  storage: Storage,
  { brandId, media }: Post,
  limits: Limits,
): Promise<OutgoingMedia[] | null> {
  const rows = await mediaOf(db, brandId, media)
  const outgoing: OutgoingMedia[] = []
  for (const { mediaId, alt } of media) {
    const row = rows.get(mediaId)
    const variant = row && variantFor(row, limits)
    const facts = variant && factsOf(row, variant)
    if (!facts) return null
    const file = await storage.read(fileOf(keyOf(row), variant))
    if (!file) return null
    const { contentType, width, height } = facts
    outgoing.push({ contentType, width, height, alt, bytes: () => file.bytes() })
  }
  return outgoing
}
