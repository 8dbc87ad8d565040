import { and, desc, eq, inArray } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import type { PracticeVideoList } from '../contract.ts'
import { forbidden, videoNotFound } from '../google-error.ts'
import { practiceVideoPieces, practiceVideos, practiceVideoUploads } from '../schema.ts'
import type { VideoRow } from '../upload/sessions.ts'

const maxVideos = 1_000

/** Newest first. */
export const listVideosOf = (db: Database, account: string): Promise<VideoRow[]> =>
  db
    .select()
    .from(practiceVideos)
    .where(eq(practiceVideos.account, account))
    .orderBy(desc(practiceVideos.createdAt), desc(practiceVideos.id))
    .limit(maxVideos)

export const listByIds = (db: Database, ids: readonly string[]): Promise<VideoRow[]> =>
  db
    .select()
    .from(practiceVideos)
    .where(inArray(practiceVideos.id, [...ids]))

export const canSee = ({ account, metadata }: VideoRow, viewer: string): boolean =>
  account === viewer || metadata.status.privacyStatus !== 'private'

export const countVideos = (db: Database, account: string): Promise<number> =>
  db.$count(practiceVideos, eq(practiceVideos.account, account))

/** @throws {GoogleError} 404 for a video that the account can't see, and 403 for another account's */
export async function getOwnVideo(db: Database, id: string, account: string): Promise<VideoRow> {
  const [video] = await listByIds(db, [id])
  if (!video || !canSee(video, account)) throw videoNotFound()
  if (video.account !== account) throw forbidden()
  return video
}

export async function updateVideo(
  db: Database,
  id: string,
  change: Partial<Pick<VideoRow, 'metadata' | 'thumbnail'>>,
): Promise<VideoRow> {
  const [video] = await db.update(practiceVideos).set(change).where(eq(practiceVideos.id, id)).returning()
  if (!video) throw videoNotFound()
  return video
}

export const deleteVideo = async (db: Database, id: string): Promise<void> =>
  void (await db.delete(practiceVideos).where(eq(practiceVideos.id, id)))

const maxListed = 100

/** For tests and the page: what was really received, of all accounts or those of one project. */
export async function listHeldVideos(db: Database, project?: string): Promise<PracticeVideoList['items']> {
  const rows = await db
    .select({ video: practiceVideos, requests: practiceVideoUploads.requests })
    .from(practiceVideos)
    .leftJoin(practiceVideoUploads, eq(practiceVideoUploads.id, practiceVideos.uploadId))
    .where(and(project === undefined ? undefined : eq(practiceVideos.project, project)))
    .orderBy(desc(practiceVideos.createdAt), desc(practiceVideos.id))
    .limit(maxListed)
  const uploads = rows.map(({ video }) => video.uploadId)
  const pieces = await db
    .select()
    .from(practiceVideoPieces)
    .where(inArray(practiceVideoPieces.uploadId, uploads))
    .orderBy(practiceVideoPieces.startsAt)
  const piecesOf = Map.groupBy(pieces, ({ uploadId }) => uploadId)
  return rows.map(({ video, requests }) => ({
    id: video.id,
    uploadId: video.uploadId,
    project: video.project,
    account: video.account,
    title: video.metadata.snippet.title,
    privacy: video.metadata.status.privacyStatus ?? 'public',
    contentType: video.contentType,
    length: video.length,
    sha256: video.sha256,
    pieces: (piecesOf.get(video.uploadId) ?? []).map(({ startsAt, length, sha256 }) => ({ startsAt, length, sha256 })),
    requests: requests ?? 0,
    thumbnail: video.thumbnail,
    createdAt: video.createdAt,
  }))
}
