import { z } from 'zod'
import type { GraphApi } from '../graph/api.ts'
import { apiVersion } from '../graph/version.ts'
import type { Metadata } from '../network.ts'

export const api: GraphApi = { name: 'Facebook', origin: `https://graph.facebook.com/${apiVersion.name}` }
export const authorizeUrl = `https://www.facebook.com/${apiVersion.name}/dialog/oauth`

export const StoredId = z.string().regex(/^\d{1,30}$/)
const StoredPlace = z.union([z.object({ groupId: StoredId }), z.object({ pageId: StoredId })])

/** Where the posts of an account go. A Group that was chosen comes before the account’s own Page. */
export function placeOf(metadata: Metadata): { id: string; isGroup: boolean } {
  const place = StoredPlace.parse(metadata)
  return 'groupId' in place ? { id: place.groupId, isGroup: true } : { id: place.pageId, isGroup: false }
}
