import { and, eq, gt, lt, sql } from 'drizzle-orm'
import { transact, type Database } from '#lib/db.ts'
import { randomToken } from '#lib/ids.ts'
import type { VideoInput } from '../contract.ts'
import { sessionNotFound, UploadError } from '../google-error.ts'
import { practiceVideoPieces, practiceVideos, practiceVideoUploads } from '../schema.ts'
import { isAudited, type Bearer } from '../token.ts'
import { sessionLifeMs } from './sizes.ts'

export type Session = typeof practiceVideoUploads.$inferSelect
export type VideoRow = typeof practiceVideos.$inferSelect

interface NewSession {
  parts: string[]
  metadata: VideoInput
  contentType: string | null
  length: number | null
}

export async function createSession(
  db: Database,
  { project, account }: Bearer,
  { now, ...session }: NewSession & { now: Date },
): Promise<Session> {
  const expiresAt = new Date(now.getTime() + sessionLifeMs)
  const [row] = await db
    .insert(practiceVideoUploads)
    .values({ id: randomToken(32), project, account, ...session, expiresAt })
    .returning()
  if (!row) throw new Error('An upload was not stored')
  const old = lt(practiceVideoUploads.expiresAt, new Date(now.getTime() - sessionLifeMs))
  await db.delete(practiceVideoUploads).where(old)
  return row
}

/** Counts the request. @throws {UploadError} 404 for a session that is unknown, expired or another account's */
export async function openSession(db: Database, id: string | null, bearer: Bearer, now: Date): Promise<Session> {
  const { expiresAt, account, project } = practiceVideoUploads
  const isOwn = and(eq(account, bearer.account), eq(project, bearer.project))
  const [session] = await db
    .update(practiceVideoUploads)
    .set({ requests: sql`${practiceVideoUploads.requests} + 1` })
    .where(and(eq(practiceVideoUploads.id, id ?? ''), isOwn, gt(expiresAt, now)))
    .returning()
  if (!session) throw sessionNotFound(404)
  return session
}

export async function deleteSession(db: Database, id: string): Promise<void> {
  await db.delete(practiceVideoPieces).where(eq(practiceVideoPieces.uploadId, id))
  await db.delete(practiceVideoUploads).where(eq(practiceVideoUploads.id, id))
}

/** The total can be given late, but does not change. @throws {UploadError} 400 */
export async function agreeOnLength(db: Database, session: Session, total: number | null): Promise<void> {
  if (total === null || total === session.length) return
  if (session.length !== null)
    throw new UploadError(
      400,
      `Invalid request. The total size of ${total} byte(s) does not match the ${session.length} byte(s) given before.`,
    )
  session.length = total
  await db.update(practiceVideoUploads).set({ length: total }).where(eq(practiceVideoUploads.id, session.id))
}

export interface Piece {
  length: number
  sha256: string
}

/** Another request of the session was faster, so that the bytes of this request are dropped. */
export class OvertakenError extends Error {}

/** Records what arrived, and with the last byte the video. @throws {OvertakenError} */
export async function recordPiece(
  db: Database,
  session: Session,
  { piece, sha256, now }: { piece: Piece; sha256: string | null; now: Date },
): Promise<VideoRow | null> {
  const received = session.received + piece.length
  const isWhole = received === session.length
  const video = isWhole ? newVideo(session, { length: received, sha256, now }) : null
  await transact(db, async (tx) => {
    const [updated] = await tx
      .update(practiceVideoUploads)
      .set({ received, length: session.length, videoId: video?.id ?? null })
      .where(and(eq(practiceVideoUploads.id, session.id), eq(practiceVideoUploads.received, session.received)))
      .returning({ id: practiceVideoUploads.id })
    if (!updated) throw new OvertakenError()
    await tx.insert(practiceVideoPieces).values({ uploadId: session.id, startsAt: session.received, ...piece })
    if (video) await tx.insert(practiceVideos).values(video)
  })
  session.received = received
  session.videoId = video?.id ?? null
  return video
}

const idBytes = 8

function newVideo(
  { id: uploadId, project, account, metadata, contentType }: Session,
  { now, ...file }: { length: number; sha256: string | null; now: Date },
): VideoRow {
  // Documented: public when nothing is said.
  const privacyStatus = isAudited(project) ? (metadata.status.privacyStatus ?? 'public') : 'private'
  return {
    id: randomToken(idBytes),
    uploadId,
    project,
    account,
    metadata: { ...metadata, status: { ...metadata.status, privacyStatus } },
    contentType: contentType ?? 'application/octet-stream',
    ...file,
    thumbnail: null,
    createdAt: now,
  }
}
