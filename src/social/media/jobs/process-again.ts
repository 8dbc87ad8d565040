import { eq } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { recordChange } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { media } from '../../schema.ts'
import type { MediaRow } from '../files.ts'
import * as library from '../media.ts'
import { enqueueProcessing } from './process.job.ts'

/** Leaves a file as it is when nothing is missing. @throws {Problem} 404 */
export async function processAgain(
  { db, actor, queue }: Pick<Call<unknown, Actor>, 'db' | 'actor' | 'queue'>,
  id: string,
): Promise<MediaRow> {
  const before = await library.get(db, actor, id)
  if (!isIncomplete(before)) return before
  const changes = { status: 'processing', failure: null, transcoding: null } as const
  const [after = before] = await db.update(media).set(changes).where(eq(media.id, id)).returning()
  await enqueueProcessing(db, queue, after)
  recordChange(db, { object: 'media', id, before, after })
  return after
}

function isIncomplete({ kind, status, transcoding, renditions, pages }: MediaRow): boolean {
  if (kind === 'image' || status === 'processing') return false
  if (status === 'failed') return true
  // Encrypted documents have neither pages nor a preview.
  if (kind === 'document') return !renditions.thumb && pages !== null
  return !renditions.thumb || /failed|unavailable/.test(transcoding?.state ?? '')
}
