import { createBrokenStream } from '#lib/counterpart.ts'
import { videoResource } from '../api/resources.ts'
import { listByIds } from '../api/store.ts'
import type { PracticeVideoBehavior } from '../contract.ts'
import type { Incoming, Perform, VideoEndpoint } from '../endpoint.ts'
import { sessionNotFound, UploadError } from '../google-error.ts'
import { parseContentRange, wrongLength, type ContentRange } from './content-range.ts'
import { requireVideoType } from './insert.ts'
import { receiveBytes, type Outcome } from './receive-bytes.ts'
import { agreeOnLength, deleteSession, openSession, OvertakenError, type Session } from './sessions.ts'

type Chunk = Extract<ContentRange, { probe: false }>

/** A chunk of an upload, the whole file, or the question how much has arrived. */
export const resumeUpload: VideoEndpoint = {
  method: 'PUT',
  path: '/upload/youtube/v3/videos',
  scope: 'upload',
  cost: null,
  kindOf: (headers) => (headers.get('content-range')?.startsWith('bytes */') ? 'probe' : 'chunk'),
  query: ['part', 'uploadType', 'upload_id', 'autoLevels', 'stabilize', 'notifySubscribers'],
  prepare: async (incoming): Promise<Perform> => {
    const { db, bearer, query, request, now } = incoming
    const session = await openSession(db, query.get('upload_id'), bearer, now())
    const range = parseContentRange(request.headers)
    const contentType = request.headers.get('content-type')
    if (!range.probe && contentType !== null) requireVideoType(contentType)
    if (session.videoId !== null) return () => respondWithVideo(incoming, session, 200)
    await agreeOnLength(db, session, range.total)
    if (!range.probe) checkStart(range, session)
    return async (behavior) => {
      if (behavior.mode === 'expire_session') {
        await deleteSession(db, session.id)
        throw sessionNotFound(behavior.status === 410 ? 410 : 404)
      }
      return range.probe ? incomplete(session) : receiveChunk(incoming, session, range, behavior)
    }
  },
}

/** @throws {UploadError} 400 for a chunk that leaves a gap */
function checkStart({ first, length }: Chunk, { received, length: total }: Session): void {
  if (first > received)
    throw new UploadError(
      400,
      `Invalid request. According to the Content-Range header, the upload offset is ${first} byte(s), which exceeds already uploaded size of ${received} byte(s).`,
    )
  if (total !== null && length !== null && first + length > total) throw wrongLength(first + length, total)
  if (length === 0) throw wrongLength(0, (total ?? received + 1) - received)
}

async function receiveChunk(
  incoming: Incoming,
  session: Session,
  { first, length, total }: Chunk,
  { mode, chunkDelayMs = 0 }: PracticeVideoBehavior,
): Promise<Response> {
  const { db, state, request, now } = incoming
  const body = {
    chunks: request.body ?? new ReadableStream<Uint8Array>({ start: (controller) => controller.close() }),
    first,
    length,
    endsFile: !request.headers.has('content-range') || (total !== null && length !== null && first + length === total),
    ...(mode === 'cut' && { cutAfter: Math.ceil((length ?? 1) / 2) }),
  }
  const outcome = await receiveBytes({ db, hashes: state.hashes, now, delayMs: chunkDelayMs }, session, body).catch(
    async (error: unknown): Promise<Outcome> => {
      if (!(error instanceof OvertakenError)) throw error
      Object.assign(session, await openSession(db, session.id, incoming.bearer, now()))
      return { arrived: length ?? 0, isComplete: true, video: null }
    },
  )
  if (mode === 'cut') return new Response(createBrokenStream())
  if (session.videoId !== null) return respondWithVideo(incoming, session, 201)
  if (!outcome.isComplete) throw wrongLength(outcome.arrived, length ?? outcome.arrived)
  return incomplete(session)
}

function incomplete({ id, received }: Session): Response {
  const range = received > 0 && { Range: `bytes=0-${received - 1}` }
  return new Response(null, { status: 308, headers: { 'X-GUploader-UploadID': id, ...range } })
}

async function respondWithVideo({ db, now }: Incoming, { videoId, parts }: Session, status: number): Promise<Response> {
  const [video] = await listByIds(db, [videoId ?? ''])
  if (!video) throw sessionNotFound(410)
  return Response.json(videoResource(video, parts, now()), { status })
}
