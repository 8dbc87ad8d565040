import { z } from 'zod'
import { notFound } from '#lib/errors.ts'
import { operation } from '#lib/operation.ts'
import { ChannelVideoList, ChannelVideoState, VideoPrivacy } from '../contract/video.ts'
import { makeChargedCall } from './charged-call.ts'
import { providerFailed, videoProblems } from './problems.ts'
import { videoProvider, type VideoCall, type VideoProvider } from './provider.ts'
import { urlOfVideo } from './uploads.ts'

const asService = {
  permission: 'service',
  callers: ['platform-socialize'],
  transaction: false,
  limit: null,
  timeout: 40_000,
} as const

const Channels = z.object({
  items: z
    .array(z.object({ contentDetails: z.object({ relatedPlaylists: z.object({ uploads: z.string().min(1) }) }) }))
    .default([]),
})
const PlaylistItems = z.object({
  items: z
    .array(
      z.object({
        snippet: z.object({ title: z.string(), description: z.string().default(''), publishedAt: z.string() }),
        contentDetails: z.object({ videoId: z.string().min(1) }),
      }),
    )
    .default([]),
})

export const listRecentVideos = operation({
  route: 'GET /platform/youtube/channels/mine/videos',
  summary: 'List the user’s newest YouTube videos',
  ...asService,
  input: z.object({}),
  output: ChannelVideoList,
  problems: videoProblems,
  run: async (call) => {
    const provider = await videoProvider(call)
    const channels = await read(call, provider, Channels, {
      method: 'channels.list',
      path: 'channels?part=contentDetails&mine=true',
    })
    const [channel] = channels.items
    if (!channel) return { items: [], nextCursor: null }
    const { uploads } = channel.contentDetails.relatedPlaylists
    const query = new URLSearchParams({ part: 'snippet,contentDetails', playlistId: uploads, maxResults: '50' })
    const { items } = await read(call, provider, PlaylistItems, {
      method: 'playlistItems.list',
      path: `playlistItems?${query}`,
    })
    return {
      items: items.map(({ snippet: { title, description, publishedAt }, contentDetails: { videoId: id } }) => ({
        id,
        url: urlOfVideo(id),
        title,
        description,
        publishedAt,
      })),
      nextCursor: null,
    }
  },
})

const Videos = z.object({
  items: z
    .array(
      z.object({
        id: z.string(),
        status: z.object({
          uploadStatus: z.enum(['uploaded', 'processed', 'failed', 'rejected', 'deleted']),
          failureReason: z.string().optional(),
          rejectionReason: z.string().optional(),
          privacyStatus: VideoPrivacy.optional(),
        }),
      }),
    )
    .default([]),
})

export const getVideoState = operation({
  route: 'GET /platform/youtube/channels/mine/videos/:videoId',
  summary: 'Get whether a YouTube video is processed',
  ...asService,
  input: z.object({ videoId: z.string().regex(/^[\w-]{1,64}$/, 'Must be the ID of a video.') }),
  output: ChannelVideoState,
  problems: videoProblems,
  run: async (call) => {
    const query = new URLSearchParams({ part: 'status', id: call.input.videoId })
    const { items } = await read(call, await videoProvider(call), Videos, {
      method: 'videos.list',
      path: `videos?${query}`,
    })
    const [video] = items
    if (!video) throw notFound('video')
    const { uploadStatus: state, failureReason, rejectionReason, privacyStatus: privacy = null } = video.status
    return { id: video.id, state, reason: failureReason ?? rejectionReason ?? null, privacy }
  },
})

interface Read {
  method: 'channels.list' | 'playlistItems.list' | 'videos.list'
  path: string
}

/** @throws {Problem} as `makeChargedCall`, and 502 for a response that can’t be read */
async function read<Answer>(
  call: VideoCall,
  provider: VideoProvider,
  answer: z.ZodType<Answer>,
  { method, path }: Read,
): Promise<Answer> {
  const response = await makeChargedCall(call, provider, method, { method: 'GET', path: `/youtube/v3/${path}` })
  const parsed = answer.safeParse(await response.json().catch(() => null))
  if (!parsed.success) throw providerFailed('YouTube’s response couldn’t be read.', { cause: parsed.error })
  return parsed.data
}
