import { z } from 'zod'
import { notFound, Problem } from '#lib/errors.ts'
import { operation } from '#lib/operation.ts'
import { Cursor, Limit } from '#lib/paginate.ts'
import { reply } from '#lib/reply.ts'
import { isStorable } from '#lib/text.ts'
import { CommentModeration, VideoComment, VideoCommentList } from '../contract/video-comments.ts'
import { makeChargedCall } from './charged-call.ts'
import { providerFailed, videoProblems } from './problems.ts'
import { videoProvider } from './provider.ts'

const asService = {
  permission: 'service',
  callers: ['platform-socialize'],
  transaction: false,
  limit: null,
  timeout: 40_000,
} as const

const VideoId = z.string().regex(/^[\w-]{1,64}$/, 'Must be the ID of a video.')

const Thread = z.object({
  id: z.string().min(1),
  snippet: z.object({
    topLevelComment: z.object({
      snippet: z.object({
        // Of the user’s own comments only.
        textOriginal: z.string().optional(),
        textDisplay: z.string().default(''),
        authorChannelId: z.object({ value: z.string() }).optional(),
        publishedAt: z.iso.datetime({ offset: true }),
      }),
    }),
  }),
})
const Threads = z.object({ items: z.array(Thread).default([]), nextPageToken: z.string().optional() })

const path = '/youtube/v3/commentThreads'

/** Characters that YouTube accepts. */
const maxCharacters = 10_000

export const createVideoComment = operation({
  route: 'POST /platform/youtube/channels/mine/videos/:videoId/comments',
  summary: 'Add a comment to a YouTube video',
  ...asService,
  input: z.object({
    videoId: VideoId,
    text: z.string().min(1).max(maxCharacters).refine(isStorable, 'Must be text without invalid characters.'),
  }),
  output: VideoComment,
  creates: true,
  problems: videoProblems,
  run: async (call) => {
    const { videoId, text: textOriginal } = call.input
    const provider = await videoProvider(call)
    const response = await ofVideo(
      makeChargedCall(call, provider, 'commentThreads.insert', {
        method: 'POST',
        path: `${path}?part=snippet`,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ snippet: { videoId, topLevelComment: { snippet: { textOriginal } } } }),
      }),
    )
    return reply(201, describe(await readAs(Thread, response), videoId))
  },
})

export const listVideoComments = operation({
  route: 'GET /platform/youtube/channels/mine/videos/:videoId/comments',
  summary: 'List the comments on a YouTube video',
  ...asService,
  input: z.object({
    videoId: VideoId,
    moderation: CommentModeration.default('published'),
    limit: Limit,
    cursor: Cursor,
  }),
  output: VideoCommentList,
  problems: videoProblems,
  run: async (call) => {
    const { videoId, moderation, limit, cursor } = call.input
    const query = new URLSearchParams({
      part: 'snippet',
      videoId,
      order: 'time',
      textFormat: 'plainText',
      moderationStatus: moderation,
      maxResults: String(limit),
      ...(cursor !== undefined && { pageToken: cursor }),
    })
    const provider = await videoProvider(call)
    const response = await ofVideo(
      makeChargedCall(call, provider, 'commentThreads.list', { method: 'GET', path: `${path}?${query}` }),
    )
    const { items, nextPageToken } = await readAs(Threads, response)
    return { items: items.map((thread) => describe(thread, videoId)), nextCursor: nextPageToken ?? null }
  },
})

/** @throws {Problem} 404 for a video that YouTube doesn’t have, or doesn’t show to the user */
const ofVideo = (response: Promise<Response>): Promise<Response> =>
  response.catch((error: unknown) => {
    const isMissing = error instanceof Problem && error.options.members?.['reason'] === 'videoNotFound'
    throw isMissing ? notFound('video') : error
  })

function describe({ id, snippet }: z.output<typeof Thread>, videoId: string) {
  const { textOriginal, textDisplay, authorChannelId, publishedAt } = snippet.topLevelComment.snippet
  const query = new URLSearchParams({ v: videoId, lc: id })
  return {
    id,
    url: `https://www.youtube.com/watch?${query}`,
    text: textOriginal ?? textDisplay,
    channelId: authorChannelId?.value ?? null,
    publishedAt,
  }
}

/** @throws {Problem} 502 for a response that can’t be read */
async function readAs<Answer>(answer: z.ZodType<Answer>, response: Response): Promise<Answer> {
  const parsed = answer.safeParse(await response.json().catch(() => null))
  if (!parsed.success) throw providerFailed('YouTube’s response couldn’t be read.', { cause: parsed.error })
  return parsed.data
}
