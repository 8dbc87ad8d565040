import { z } from 'zod'
import { operation } from '#lib/operation.ts'
import { Problem } from '#lib/errors.ts'
import { VideoChannel } from '../contract/video.ts'
import { makeChargedCall } from './charged-call.ts'
import { providerFailed, videoProblems } from './problems.ts'
import { videoProvider } from './provider.ts'

/** A count as text. */
const Count = z.coerce.number().int().min(0).optional()
const ChannelList = z.object({
  items: z
    .array(
      z.object({
        id: z.string(),
        snippet: z.object({
          title: z.string(),
          description: z.string().default(''),
          customUrl: z.string().optional(),
          thumbnails: z.record(z.string(), z.object({ url: z.string() })).default({}),
        }),
        statistics: z
          .object({ subscriberCount: Count, videoCount: Count, hiddenSubscriberCount: z.boolean().default(false) })
          .optional(),
      }),
    )
    .default([]),
})

export const getVideoChannel = operation({
  route: 'GET /platform/youtube/channels/mine',
  summary: 'Get the user’s YouTube channel',
  permission: 'service',
  callers: ['platform-socialize'],
  input: z.object({}),
  output: VideoChannel,
  transaction: false,
  limit: null,
  timeout: 40_000,
  problems: videoProblems,
  run: async (call) => {
    const provider = await videoProvider(call)
    const path = '/youtube/v3/channels?part=snippet,statistics&mine=true'
    const response = await makeChargedCall(call, provider, 'channels.list', { method: 'GET', path })
    const list = ChannelList.safeParse(await response.json().catch(() => null))
    if (!list.success) throw providerFailed('YouTube’s response couldn’t be read.', { cause: list.error })
    const [channel] = list.data.items
    if (!channel)
      throw new Problem(422, 'channel_missing', 'This Google account has no YouTube channel. Create one on YouTube.')
    const { id, snippet, statistics } = channel
    const { title, description, customUrl, thumbnails } = snippet
    return {
      id,
      title,
      description,
      handle: customUrl ?? null,
      thumbnailUrl: (thumbnails['medium'] ?? thumbnails['default'])?.url ?? null,
      url: `https://www.youtube.com/channel/${id}`,
      subscriberCount: statistics?.hiddenSubscriberCount ? null : (statistics?.subscriberCount ?? null),
      videoCount: statistics?.videoCount ?? null,
    }
  },
})
