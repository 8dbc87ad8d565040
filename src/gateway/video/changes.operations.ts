import { z } from 'zod'
import { notFound, Problem } from '#lib/errors.ts'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { isStorable } from '#lib/text.ts'
import { VideoDescription } from '../contract/video.ts'
import { makeChargedCall } from './charged-call.ts'
import { providerFailed, videoProblems } from './problems.ts'
import { videoProvider, type VideoCall, type VideoProvider } from './provider.ts'

const asService = {
  permission: 'service',
  callers: ['platform-socialize'],
  transaction: false,
  limit: null,
  timeout: 70_000,
} as const

const VideoId = z.string().regex(/^[\w-]{1,64}$/, 'Must be the ID of a video.')

/** What YouTube deletes when an update leaves it out. */
const Snippet = z.object({
  title: z.string(),
  description: z.string().default(''),
  categoryId: z.string(),
  tags: z.array(z.string()).optional(),
  defaultLanguage: z.string().optional(),
  defaultAudioLanguage: z.string().optional(),
})
const Video = z.object({ id: z.string(), snippet: Snippet })
const Videos = z.object({ items: z.array(Video).default([]) })

const path = '/youtube/v3/videos'

export const getVideoDescription = operation({
  route: 'GET /platform/youtube/channels/mine/videos/:videoId/description',
  summary: 'Get the description of a YouTube video',
  ...asService,
  input: z.object({ videoId: VideoId }),
  output: VideoDescription,
  problems: videoProblems,
  run: async (call) => describe(await readVideo(call, await videoProvider(call))),
})

export const updateVideoDescription = operation({
  route: 'PUT /platform/youtube/channels/mine/videos/:videoId/description',
  summary: 'Update the description of a YouTube video',
  ...asService,
  input: z.object({
    videoId: VideoId,
    description: z.string().max(5_000).refine(isStorable, 'Must be text without invalid characters.'),
  }),
  output: VideoDescription,
  problems: videoProblems,
  run: async (call) => {
    const provider = await videoProvider(call)
    const { id, snippet } = await readVideo(call, provider)
    const { description } = call.input
    const response = await ofVideo(
      makeChargedCall(call, provider, 'videos.update', {
        method: 'PUT',
        path: `${path}?part=snippet`,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ id, snippet: { ...snippet, description } }),
      }),
    )
    return describe(await readAs(Video, response))
  },
})

export const deleteVideo = operation({
  route: 'DELETE /platform/youtube/channels/mine/videos/:videoId',
  summary: 'Delete a YouTube video',
  ...asService,
  input: z.object({ videoId: VideoId }),
  output: z.null(),
  problems: videoProblems,
  run: async (call) => {
    const query = new URLSearchParams({ id: call.input.videoId })
    const provider = await videoProvider(call)
    await ofVideo(makeChargedCall(call, provider, 'videos.delete', { method: 'DELETE', path: `${path}?${query}` }))
    return reply(204, null)
  },
})

/** @throws {Problem} 404 for a video that YouTube doesn’t have, or doesn’t show to the user */
async function readVideo(call: VideoCall & { input: { videoId: string } }, provider: VideoProvider) {
  const query = new URLSearchParams({ part: 'snippet', id: call.input.videoId })
  const response = await makeChargedCall(call, provider, 'videos.list', { method: 'GET', path: `${path}?${query}` })
  const [video] = (await readAs(Videos, response)).items
  if (!video) throw notFound('video')
  return video
}

/** @throws {Problem} 404 for a video that was deleted meanwhile */
const ofVideo = (response: Promise<Response>): Promise<Response> =>
  response.catch((error: unknown) => {
    const isMissing = error instanceof Problem && error.options.members?.['reason'] === 'videoNotFound'
    throw isMissing ? notFound('video') : error
  })

const describe = ({ id, snippet: { title, description } }: z.output<typeof Video>) => ({ id, title, description })

/** @throws {Problem} 502 for a response that can’t be read */
async function readAs<Answer>(answer: z.ZodType<Answer>, response: Response): Promise<Answer> {
  const parsed = answer.safeParse(await response.json().catch(() => null))
  if (!parsed.success) throw providerFailed('YouTube’s response couldn’t be read.', { cause: parsed.error })
  return parsed.data
}
