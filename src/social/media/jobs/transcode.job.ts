import { and, eq, sql } from 'drizzle-orm'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import { Id } from '#lib/ids.ts'
import { job, type JobDependencies } from '#lib/job.ts'
import type { Queue } from '#lib/queue.ts'
import { VideoType, type Transcoding } from '../../contract/media.ts'
import { media, type StoredRendition } from '../../schema.ts'
import { keyOf, variantKey, type MediaRow } from '../files.ts'
import { deleteCopiesIfGone } from '../gone.ts'
import { findFfmpeg, type Ffmpeg } from '../video/ffmpeg.ts'
import { withLocalFile, withWorkFile } from '../video/local-file.ts'
import { probe } from '../video/probe.ts'
import { createSlots } from '../video/slots.ts'
import { transcode, transcodingSeconds } from '../video/transcode.ts'

const StoredVideo = z.object({ id: Id, brandId: Id, organizationId: Id })
type StoredVideo = z.output<typeof StoredVideo>

const slots = createSlots()

/** Writes the copy of a video that networks take. Organizations take turns: one video of each waits for a place. */
export const transcodeVideo = job({
  name: 'social.transcode-video',
  input: StoredVideo,
  concurrency: 4,
  perTenant: { of: ({ organizationId }) => organizationId, concurrency: 1 },
  retries: 3,
  /** With the time in which others are transcoded. */
  maxSeconds: 6 * transcodingSeconds,
  run: async ({ input, ...work }) => {
    const ffmpeg = await findFfmpeg(work.config)
    if (!ffmpeg?.encodes) return report(work, input.id, { state: 'unavailable', percent: 0, failure: null })
    await slots.take(work.config.TRANSCODERS, async () => {
      const [row] = await work.database.db.select().from(media).where(isWanted(input.id))
      if (row) await writeCopy(work, ffmpeg, row)
      else await deleteCopiesIfGone(work, input)
    })
  },
  onRetriesExhausted: async ({ input, ...work }) => {
    await report(work, input.id, { state: 'failed', percent: 0, failure: 'This video could not be transcoded.' })
    await deleteCopiesIfGone(work, input)
  },
})

export const enqueueTranscoding = (tx: Database, queue: Queue, video: StoredVideo): Promise<void> =>
  queue.enqueue(tx, transcodeVideo, video)

const isWanted = (id: string) => and(eq(media.id, id), sql`${media.transcoding} ->> 'state' in ('waiting', 'running')`)

async function report({ database }: JobDependencies, id: string, transcoding: Transcoding): Promise<void> {
  await database.db.update(media).set({ transcoding }).where(isWanted(id))
}

/** Milliseconds between updates of the progress, which also notice that the video was deleted. */
const reportEveryMs = 1500

async function writeCopy(work: JobDependencies, ffmpeg: Ffmpeg, row: MediaRow): Promise<void> {
  const { database, storage } = work
  const type = VideoType.parse(row.contentType)
  const deleted = new AbortController()
  const progress = { percent: 0 }
  const update = async () => {
    const running = { state: 'running', percent: progress.percent, failure: null } as const
    const rows = await database.db.update(media).set({ transcoding: running }).where(isWanted(row.id)).returning()
    if (rows.length === 0) deleted.abort()
  }
  await update()
  const reporting = setInterval(() => void update().catch(() => {}), reportEveryMs)
  const copied = await withLocalFile(work, variantKey(keyOf(row), 'original'), (path) =>
    withWorkFile(work, async (target) => {
      const onProgress = (percent: number) => void (progress.percent = percent)
      const { durationMs } = row
      const failure = await transcode(ffmpeg, { path, type, target, durationMs, signal: deleted.signal, onProgress })
      if (failure !== null) return { failure }
      const { width, height } = await probe(target, 'video/mp4', ffmpeg)
      const { size: bytes } = await stat(target)
      await storage.putFile(variantKey(keyOf(row), 'web'), target, 'video/mp4')
      const sha256 = await digestOf(target)
      return { copy: { contentType: 'video/mp4', width: width ?? 0, height: height ?? 0, bytes, sha256 } as const }
    }),
  )
    .catch((error: unknown) => {
      if (deleted.signal.aborted) return null
      throw error
    })
    .finally(() => clearInterval(reporting))
  if (copied?.failure) return report(work, row.id, { state: 'failed', percent: 0, failure: copied.failure })
  if (copied?.copy) await recordCopy(work, row, copied.copy)
}

async function digestOf(path: string): Promise<string> {
  const hash = new Bun.CryptoHasher('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest('hex')
}

async function recordCopy({ database, storage }: JobDependencies, row: MediaRow, web: StoredRendition): Promise<void> {
  const transcoding: Transcoding = { state: 'completed', percent: 100, failure: null }
  const renditions = sql`${media.renditions} || ${JSON.stringify({ web })}::jsonb`
  const rows = await database.db.update(media).set({ renditions, transcoding }).where(eq(media.id, row.id)).returning()
  if (rows.length === 0) await deleteCopiesIfGone({ database, storage }, row)
}
