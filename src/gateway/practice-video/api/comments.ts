import { desc, eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import { digest, randomToken } from '#lib/ids.ts'
import type { RequestKind } from '../contract.ts'
import type { VideoEndpoint } from '../endpoint.ts'
import { forbidden, GoogleError, invalidArgument, videoNotFound } from '../google-error.ts'
import { practiceVideoComments } from '../schema.ts'
import type { VideoRow } from '../upload/sessions.ts'
import { readJson } from './body.ts'
import { invalidParameter, missingParameter, pageOf, readPage, readParts } from './query.ts'
import { channelIdOf, listResponse } from './resources.ts'
import { canSee, listByIds } from './store.ts'

const path = '/youtube/v3/commentThreads'
const common = { path, scope: 'manage', kindOf: (): RequestKind => 'api' } as const
const parts = ['snippet', 'replies']
const maxCharacters = 10_000
/** Newer comments than these aren’t listed together with them. */
const maxListed = 1_000

const Thread = z.strictObject({
  snippet: z.strictObject({
    channelId: z.string().optional(),
    videoId: z.string().optional(),
    topLevelComment: z.strictObject({ snippet: z.strictObject({ textOriginal: z.string() }) }).optional(),
  }),
})

export const insertComment: VideoEndpoint = {
  ...common,
  method: 'POST',
  cost: { bucket: 'other', units: 50 },
  query: ['part'],
  prepare: async ({ db, bearer, query, request, now }) => {
    readParts(query, parts)
    const { videoId, topLevelComment } = parseThread(await readJson(request)).snippet
    const text = topLevelComment?.snippet.textOriginal ?? ''
    if (videoId === undefined) throw refusal(400, 'channelOrVideoIdMissing')
    if (text.trim() === '') throw refusal(400, 'commentTextRequired')
    if (text.length > maxCharacters) throw refusal(400, 'commentTextTooLong')
    const video = await findCommentable(db, videoId, bearer.account)
    return async () => {
      const id = `Ug${randomToken(17)}`
      const row = { id, videoId: video.id, account: bearer.account, text, createdAt: now() }
      await db.insert(practiceVideoComments).values(row)
      return Response.json(threadResource(row, video, { viewer: bearer.account, isPlain: false }))
    }
  },
}

const orders = ['time', 'relevance']
const formats = ['html', 'plainText']
const states = ['published', 'heldForReview', 'likelySpam']

export const listComments: VideoEndpoint = {
  ...common,
  method: 'GET',
  cost: { bucket: 'other', units: 1 },
  query: ['part', 'videoId', 'order', 'textFormat', 'moderationStatus', 'maxResults', 'pageToken'],
  prepare: async ({ db, bearer, query }) => {
    readParts(query, parts)
    const videoId = query.get('videoId')
    if (videoId === null) throw missingParameter('videoId')
    oneOf(query, 'order', orders)
    const isPlain = oneOf(query, 'textFormat', formats) === 'plainText'
    const state = oneOf(query, 'moderationStatus', states)
    const page = readPage(query, 100)
    const video = await findCommentable(db, videoId, bearer.account)
    if (state !== 'published' && video.account !== bearer.account) throw forbidden()
    return async () => {
      const all = state === 'published' ? await readComments(db, video.id) : []
      const { items, envelope } = pageOf(all, page)
      const threads = items.map((row) => threadResource(row, video, { viewer: bearer.account, isPlain }))
      return listResponse('commentThread', envelope, threads)
    }
  },
}

type CommentRow = typeof practiceVideoComments.$inferSelect

const readComments = (db: Database, videoId: string): Promise<CommentRow[]> =>
  db
    .select()
    .from(practiceVideoComments)
    .where(eq(practiceVideoComments.videoId, videoId))
    .orderBy(desc(practiceVideoComments.createdAt), desc(practiceVideoComments.id))
    .limit(maxListed)

/** @throws {GoogleError} 404, and 403 for a video without comments */
async function findCommentable(db: Database, id: string, account: string): Promise<VideoRow> {
  const [video] = await listByIds(db, [id])
  if (!video || !canSee(video, account)) throw videoNotFound()
  const { privacyStatus, selfDeclaredMadeForKids } = video.metadata.status
  if (privacyStatus === 'private' || selfDeclaredMadeForKids) throw refusal(403, 'commentsDisabled')
  return video
}

const messages = {
  channelOrVideoIdMissing: 'The comment thread must be linked with a video or a channel.',
  commentTextRequired: 'The comment text is missing.',
  commentTextTooLong: 'The comment text exceeds the maximum length.',
  commentsDisabled: 'The video has disabled comments.',
} as const

const refusal = (status: number, reason: keyof typeof messages) =>
  new GoogleError(status, messages[reason], { reason, domain: 'youtube.commentThread' })

function parseThread(text: string): z.output<typeof Thread> {
  try {
    return Thread.parse(JSON.parse(text))
  } catch (error) {
    throw invalidArgument(error instanceof z.ZodError ? z.prettifyError(error) : 'The body is malformed.')
  }
}

/** The first one by default. */
function oneOf(query: URLSearchParams, name: string, [first = '', ...others]: readonly string[]): string {
  const value = query.get(name) ?? first
  if (value !== first && !others.includes(value)) throw invalidParameter(name, value)
  return value
}

const escapeHtml = (text: string): string => Bun.escapeHTML(text).replaceAll('\n', '<br>')

/** The original text is shown to its author alone. */
function threadResource(row: CommentRow, video: VideoRow, { viewer, isPlain }: { viewer: string; isPlain: boolean }) {
  const { id, account, text, createdAt } = row
  const place = { channelId: channelIdOf(video.account), videoId: video.id }
  return {
    kind: 'youtube#commentThread',
    etag: digest(id).slice(0, 27),
    id,
    snippet: {
      ...place,
      topLevelComment: {
        kind: 'youtube#comment',
        etag: digest(id).slice(0, 27),
        id,
        snippet: {
          ...place,
          textDisplay: isPlain ? text : escapeHtml(text),
          ...(account === viewer && { textOriginal: text }),
          authorDisplayName: `@${account}`,
          authorChannelId: { value: channelIdOf(account) },
          canRate: true,
          viewerRating: 'none',
          likeCount: 0,
          publishedAt: createdAt,
          updatedAt: createdAt,
        },
      },
      canReply: true,
      totalReplyCount: 0,
      isPublic: true,
    },
  }
}
