import { and, eq, sql } from 'drizzle-orm'
import { auditedTransaction, recordChange } from '#lib/audit.ts'
import type { Database } from '#lib/db.ts'
import { notFound } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import { sealContext } from '#lib/secrets/sealed.ts'
import type { VideoUpload } from '../contract/video.ts'
import { videoUploads } from '../schema.ts'
import { makeChargedCall } from './charged-call.ts'
import type { NewVideo } from './input.ts'
import { providerFailed } from './problems.ts'
import type { VideoCall, VideoProvider } from './provider.ts'
import { addressOf, openSession, uploadExpired, type Progress, type UploadSession } from './session.ts'

export type UploadRow = typeof videoUploads.$inferSelect

/** Google forgets a session after a week. */
const lifeMs = 7 * 24 * 60 * 60_000

/** @throws {Problem} 422 for metadata that the provider refuses, 429, 502 */
export async function startUpload(call: VideoCall, provider: VideoProvider, video: NewVideo): Promise<UploadRow> {
  const { title, description, tags, categoryId, privacy, madeForKids, notifySubscribers, length, contentType } = video
  const query = new URLSearchParams({
    uploadType: 'resumable',
    part: 'snippet,status',
    ...(!notifySubscribers && { notifySubscribers: 'false' }),
  })
  const response = await makeChargedCall(call, provider, 'videos.insert', {
    method: 'POST',
    path: `/upload/youtube/v3/videos?${query}`,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'x-upload-content-length': String(length),
      'x-upload-content-type': contentType,
    },
    body: JSON.stringify({
      snippet: { title, description, tags, categoryId },
      status: { privacyStatus: privacy, selfDeclaredMadeForKids: madeForKids },
    }),
  })
  await response.body?.cancel()
  const uri = response.headers.get('location')
  if (uri === null) throw providerFailed('YouTube started no upload.')
  addressOf(provider.baseUrl, uri)
  const { organizationId, applicationId, userId } = provider.attribution
  const id = newId()
  const createdAt = call.now()
  return auditedTransaction(call, async (tx) => {
    const [row] = await tx
      .insert(videoUploads)
      .values({
        id,
        organizationId,
        applicationId,
        userId,
        project: provider.project,
        baseUrl: provider.baseUrl,
        sealedSession: call.secrets.seal(uri, sessionContext(id)),
        contentType,
        length,
        createdAt,
        expiresAt: new Date(createdAt.getTime() + lifeMs),
      })
      .returning()
    if (!row) throw new Error('The upload was not inserted')
    recordChange(tx, { object: 'video_upload', id, after: { title, length, privacy }, organizationId })
    return row
  })
}

const sessionContext = (id: string): string => sealContext(videoUploads.sealedSession, id)

/** @throws {Problem} 404 when it is absent or another organization’s */
export async function getUpload(
  db: Database,
  { organizationId, id }: { organizationId: string; id: string },
): Promise<UploadRow & { isReceiving: boolean }> {
  const [found] = await db
    .select({ row: videoUploads, isReceiving: sql<boolean>`coalesce(${isBeingWritten}, false)` })
    .from(videoUploads)
    .where(and(eq(videoUploads.id, id), eq(videoUploads.organizationId, organizationId)))
  if (!found) throw notFound('upload')
  return { ...found.row, isReceiving: found.isReceiving }
}

export const isBeingWritten = sql`${videoUploads.writerEndsAt} > clock_timestamp()`

export const sessionOf = (
  call: Pick<VideoCall, 'upstreams' | 'secrets' | 'config'>,
  provider: VideoProvider,
  upload: UploadRow,
): UploadSession => {
  const { id, sealedSession, length, contentType, state } = upload
  return openSession(call, addressedAt(provider, upload), {
    uri: call.secrets.open(sealedSession, sessionContext(id)),
    length,
    contentType,
    mayBeComplete: state === 'finishing',
  })
}

/**
 * Where it was started, also after the credential was replaced: then it can be a host that an organization entered, which
 * gets no token of the platform’s app. @throws {Problem} 410
 */
export function addressedAt<Provider extends Pick<VideoProvider, 'level' | 'baseUrl'>>(
  provider: Provider,
  { baseUrl, state }: Pick<UploadRow, 'baseUrl' | 'state'>,
): Provider {
  if (baseUrl === provider.baseUrl || baseUrl.startsWith('/')) return { ...provider, baseUrl }
  if (provider.level === 'platform') throw uploadExpired(state === 'finishing')
  return { ...provider, baseUrl, level: 'organization' }
}

/** The columns for what the provider has. */
export const progressColumns = ({ received, video }: Progress) => ({
  received,
  ...(video && { state: 'completed' as const, videoId: video.id, privacy: video.privacy }),
})

/** What the provider has is asked, unless another request is sending. The result is recorded. */
export async function refreshUpload(call: VideoCall, provider: VideoProvider, id: string) {
  const { organizationId } = provider.attribution
  const upload = await getUpload(call.db, { organizationId, id })
  const hasBytes = upload.sentAt !== null || upload.state === 'finishing'
  if (upload.isReceiving || upload.state === 'completed' || !hasBytes) return upload
  const progress = await sessionOf(call, provider, upload).probe()
  const [row] = await call.db
    .update(videoUploads)
    .set({ ...progressColumns(progress), ...(!progress.video && { state: 'uploading' }) })
    .where(and(eq(videoUploads.id, id), sql`${isBeingWritten} IS NOT TRUE`, sql`${videoUploads.state} <> 'completed'`))
    .returning()
  return row ? { ...row, isReceiving: false } : getUpload(call.db, { organizationId, id })
}

export const describeUpload = ({
  id,
  state,
  received,
  length,
  videoId,
  privacy,
  isReceiving = false,
  createdAt,
  expiresAt,
}: UploadRow & { isReceiving?: boolean }) => ({
  id,
  state,
  uploadUrl: `/platform/youtube/videos/${id}/content`,
  received,
  length,
  isReceiving,
  video: videoId === null ? null : { id: videoId, url: urlOfVideo(videoId), privacy: asPrivacy(privacy) },
  createdAt,
  expiresAt,
})

export const urlOfVideo = (id: string): string => `https://www.youtube.com/watch?v=${id}`

const asPrivacy = (privacy: string | null): NonNullable<VideoUpload['video']>['privacy'] =>
  privacy === 'private' || privacy === 'unlisted' || privacy === 'public' ? privacy : null
