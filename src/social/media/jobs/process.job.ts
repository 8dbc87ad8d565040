import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import { Id } from '#lib/ids.ts'
import { prepare } from '#lib/images/prepare.ts'
import { job, type JobDependencies } from '#lib/job.ts'
import type { Queue } from '#lib/queue.ts'
import { VideoType } from '../../contract/media.ts'
import { brands, media } from '../../schema.ts'
import { drawFirstPage } from '../documents/first-page.ts'
import { countPages, UnreadableDocumentError } from '../documents/pages.ts'
import { keyOf, variantKey, type MediaRow } from '../files.ts'
import { deleteCopiesIfGone } from '../gone.ts'
import { storeCopies } from '../store-image.ts'
import { enqueueTranscoding } from './transcode.job.ts'
import { UnreadableVideoError } from '../video/facts.ts'
import { findFfmpeg } from '../video/ffmpeg.ts'
import { withLocalFile } from '../video/local-file.ts'
import { drawPoster } from '../video/poster.ts'
import { probe } from '../video/probe.ts'
import { needsCopy } from '../video/transcode.ts'

const StoredMedia = z.object({ id: Id, brandId: Id, organizationId: Id })

/** Finds the facts of a video or document that was stored, and draws its preview. */
export const processMedia = job({
  name: 'social.process-media',
  input: StoredMedia,
  concurrency: 2,
  perTenant: { of: ({ organizationId }) => organizationId, concurrency: 1 },
  retries: 6,
  /** With the copy of 4 GiB from an object store. */
  maxSeconds: 30 * 60,
  run: async ({ input, ...work }) => {
    const [row] = await work.database.db.select().from(media).where(isProcessing(input.id))
    if (!row) return deleteCopiesIfGone(work, input)
    try {
      const changes =
        row.kind === 'video' ? await processVideo(work, row, input) : await processDocument(work, row, input)
      await settle(work, row, input, { status: 'ready', failure: null, ...changes })
    } catch (error) {
      if (!(error instanceof UnreadableVideoError || error instanceof UnreadableDocumentError)) throw error
      await settle(work, row, input, { status: 'failed', failure: error.message })
    }
  },
  onRetriesExhausted: async ({ input, ...work }) => {
    const [row] = await work.database.db.select().from(media).where(isProcessing(input.id))
    if (row) await settle(work, row, input, { status: 'failed', failure: 'This file could not be processed.' })
    else await deleteCopiesIfGone(work, input)
  },
})

export async function enqueueProcessing(tx: Database, queue: Queue, row: Pick<MediaRow, 'id' | 'brandId'>) {
  const [brand] = await tx.select().from(brands).where(eq(brands.id, row.brandId))
  if (brand)
    await queue.enqueue(tx, processMedia, { id: row.id, brandId: row.brandId, organizationId: brand.organizationId })
}

const isProcessing = (id: string) => and(eq(media.id, id), eq(media.status, 'processing'))

type Stored = z.output<typeof StoredMedia>

async function settle(
  { database, storage, queue }: JobDependencies,
  row: MediaRow,
  stored: Stored,
  changes: Partial<MediaRow>,
): Promise<void> {
  const settled = await database.transaction(async (tx) => {
    const [after] = await tx.update(media).set(changes).where(isProcessing(row.id)).returning()
    if (after?.transcoding?.state === 'waiting') await enqueueTranscoding(tx, queue, stored)
    return after
  })
  if (!settled) await deleteCopiesIfGone({ database, storage }, row)
}

async function processVideo(work: JobDependencies, row: MediaRow, { organizationId }: Stored) {
  const { config } = work
  const type = VideoType.parse(row.contentType)
  const ffmpeg = await findFfmpeg(config)
  const found = await withLocalFile(work, variantKey(keyOf(row), 'original'), async (path) => {
    const facts = await probe(path, type, ffmpeg)
    const frame = ffmpeg && (await drawPoster(work, ffmpeg, { path, type, durationMs: facts.durationMs }))
    return { facts, frame }
  })
  if (!found) throw new Error(`The file of the video ${row.id} is missing in the file storage`)
  const { facts, frame } = found
  const drawn = frame && (await storePreview(work, row, { file: frame, organizationId }))
  const { web } = row.renditions
  const state = ffmpeg?.encodes ? ('waiting' as const) : ('unavailable' as const)
  return {
    ...facts,
    renditions: { ...drawn, ...(web && { web }) },
    transcoding: !web && needsCopy({ ...row, ...facts }) ? { state, percent: 0, failure: null } : row.transcoding,
  }
}

async function processDocument(work: JobDependencies, row: MediaRow, { organizationId }: Stored) {
  const found = await withLocalFile(work, variantKey(keyOf(row), 'original'), async (path) => ({
    facts: await countPages(path),
    page: await drawFirstPage(path),
  }))
  if (!found) throw new Error(`The file of the document ${row.id} is missing in the file storage`)
  const { facts, page: file } = found
  return { ...facts, renditions: file ? await storePreview(work, row, { file, organizationId }) : {} }
}

interface Preview {
  file: Uint8Array<ArrayBuffer>
  organizationId: string
}

async function storePreview({ config, storage }: JobDependencies, row: MediaRow, { file, organizationId }: Preview) {
  const { thumb, preview } = await prepare({ file, organizationId, waitMs: config.IMAGE_WAIT_MS })
  return storeCopies(storage, keyOf(row), { thumb, preview })
}
