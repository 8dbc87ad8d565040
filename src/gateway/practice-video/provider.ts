import { createBrokenStream, neverRespond } from '#lib/counterpart.ts'
import type { Database } from '#lib/db.ts'
import { listChannels, listPlaylistItems, listVideos, search } from './api/reads.ts'
import { insertComment, listComments } from './api/comments.ts'
import { checkNames } from './api/query.ts'
import { changeVideo, removeVideo, setThumbnail } from './api/writes.ts'
import { takeBehavior } from './behavior.ts'
import type { Incoming, Perform, VideoEndpoint } from './endpoint.ts'
import { failure, GoogleError, rateLimitExceeded, UploadError } from './google-error.ts'
import { charge } from './quota.ts'
import { stateOf } from './state.ts'
import { authenticate, requireScope } from './token.ts'
import { insertVideo } from './upload/insert.ts'
import { resumeUpload } from './upload/resume.ts'

export const videoEndpoints: readonly VideoEndpoint[] = [
  insertVideo,
  resumeUpload,
  listVideos,
  changeVideo,
  removeVideo,
  setThumbnail,
  listChannels,
  listPlaylistItems,
  search,
  insertComment,
  listComments,
]

interface Context {
  db: Database
  request: Request
  signal: AbortSignal
  now(): Date
}

/** Answers as YouTube would, and fails as the behavior demands. */
export async function respond(endpoint: VideoEndpoint, { db, request, signal, now }: Context): Promise<Response> {
  const state = stateOf(db)
  const record = state.received.add(request, now())
  try {
    const bearer = authenticate(request.headers)
    Object.assign(record, { project: bearer.project, account: bearer.account })
    const { searchParams: query } = new URL(request.url)
    const perform = await prepareAndCharge(endpoint, { db, state, request, query, bearer, now })
    const behavior = await takeBehavior(db, bearer.project, endpoint.kindOf(request.headers))
    if (behavior.mode === 'timeout') return await neverRespond(signal)
    if (behavior.mode === 'fail') throw failure(behavior.status ?? 500)
    if (behavior.mode === 'rate_limit') throw rateLimitExceeded(behavior.retryAfter ?? 1)
    const response = await perform(behavior)
    if (behavior.mode === 'lose_answer') return new Response(createBrokenStream())
    if (behavior.mode !== 'cut') record.status = response.status
    return response
  } catch (error) {
    if (!(error instanceof GoogleError) && !(error instanceof UploadError)) throw error
    record.status = error.status
    record.reason = error instanceof GoogleError ? error.facts.reason : error.message
    return error.toResponse()
  }
}

/** An invalid request costs one unit; an exhausted quota is reported first. @throws {GoogleError} */
async function prepareAndCharge({ cost, scope, query, prepare }: VideoEndpoint, incoming: Incoming): Promise<Perform> {
  const { db, bearer, now } = incoming
  const perform = await (async () => {
    requireScope(bearer, scope)
    checkNames(incoming.query, query)
    return prepare(incoming)
  })().catch((error: unknown) => {
    if (!(error instanceof GoogleError) || !cost) throw error
    return error
  })
  if (!cost) {
    if (perform instanceof GoogleError) throw perform
    return perform
  }
  const isInvalid = perform instanceof GoogleError
  await charge(db, bearer.project, { ...cost, units: isInvalid ? 1 : cost.units }, now())
  if (isInvalid) throw perform
  return perform
}
