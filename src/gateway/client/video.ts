import { z } from 'zod'
import {
  ChannelVideoList,
  ChannelVideoState,
  VideoChannel,
  VideoDescription,
  VideoUpload,
  type VideoPrivacy,
} from '../contract/video.ts'
import { VideoComment, VideoCommentList, type CommentModeration } from '../contract/video-comments.ts'
import type { GatewayRequests } from './requests.ts'

const caller = 'platform-socialize'
const base = '/platform/youtube'

/** Longer than the gateway takes. */
const callMs = 45_000
/** Two calls of YouTube. */
const changeMs = 75_000
/** It repeats a part that got no response. */
const contentMs = 300_000

/** Who owns the channel, and what the quota is attributed to. */
export interface VideoUser {
  organizationId: string
  applicationId: string
  /** The user's access token. */
  token: string
  /** Of the app that it belongs to. */
  clientId: string
  signal?: AbortSignal
}

interface NewVideo {
  title: string
  description: string
  tags: string[]
  privacy: z.output<typeof VideoPrivacy>
  madeForKids: boolean
  length: number
  contentType: string
}

interface NewComment {
  videoId: string
  text: string
}

interface CommentQuery {
  videoId: string
  moderation: CommentModeration
  /** Of the next page. */
  cursor?: string | undefined
}

interface Content {
  id: string
  offset: number
  bytes: Uint8Array<ArrayBuffer>
}

/** YouTube through the gateway, which counts its quota (GTW-43). @throws {Problem} as the gateway's `/platform/youtube/*` */
export interface VideoClient {
  getChannel(user: VideoUser): Promise<VideoChannel>
  startUpload(user: VideoUser, video: NewVideo): Promise<SavedUpload>
  /** What YouTube has of it. */
  getUpload(user: VideoUser, id: string): Promise<SavedUpload>
  sendContent(user: VideoUser, content: Content): Promise<SavedUpload>
  getState(user: VideoUser, videoId: string): Promise<ChannelVideoState>
  /** The newest 50. */
  listRecent(user: VideoUser): Promise<z.output<typeof ChannelVideoList>['items']>
  getDescription(user: VideoUser, videoId: string): Promise<VideoDescription>
  updateDescription(user: VideoUser, change: { videoId: string; description: string }): Promise<VideoDescription>
  deleteVideo(user: VideoUser, videoId: string): Promise<void>
  writeComment(user: VideoUser, comment: NewComment): Promise<VideoComment>
  /** 100 at a time, the newest first. */
  listComments(user: VideoUser, query: CommentQuery): Promise<VideoCommentList>
}

const videoAt = (videoId: string): string => `${base}/channels/mine/videos/${encodeURIComponent(videoId)}`
const commentsOf = (videoId: string): string => `${videoAt(videoId)}/comments`
const descriptionOf = (videoId: string): string => `${videoAt(videoId)}/description`

/** Times as texts. */
const SavedUpload = VideoUpload.pick({ id: true, state: true, received: true, isReceiving: true, video: true })
type SavedUpload = z.output<typeof SavedUpload>

export function createVideoClient({ request }: GatewayRequests): VideoClient {
  const forUser = ({ organizationId, applicationId, token, clientId, signal }: VideoUser) => ({
    caller,
    organizationId,
    headers: {
      'X-Application-Id': applicationId,
      'X-Provider-Authorization': `Bearer ${token}`,
      'X-Provider-Client-Id': clientId,
    },
    timeoutMs: callMs,
    ...(signal && { signal }),
  })
  const get = <Answer>(user: VideoUser, path: string, answer: z.ZodType<Answer>): Promise<Answer> =>
    request({ ...forUser(user), method: 'GET', path: `${base}/${path}`, answer })
  return {
    getChannel: (user) => get(user, 'channels/mine', VideoChannel),
    startUpload: (user, sent) =>
      request({ ...forUser(user), method: 'POST', path: `${base}/videos`, answer: SavedUpload, sent }),
    getUpload: (user, id) => get(user, `videos/${id}`, SavedUpload),
    sendContent: (user, { id, offset, bytes }) =>
      request({
        ...forUser(user),
        method: 'PUT',
        path: `${base}/videos/${id}/content?offset=${offset}`,
        answer: SavedUpload,
        bytes,
        timeoutMs: contentMs,
      }),
    getState: (user, videoId) => get(user, `channels/mine/videos/${encodeURIComponent(videoId)}`, ChannelVideoState),
    getDescription: (user, videoId) =>
      request({ ...forUser(user), method: 'GET', path: descriptionOf(videoId), answer: VideoDescription }),
    updateDescription: (user, { videoId, description }) =>
      request({
        ...forUser(user),
        method: 'PUT',
        path: descriptionOf(videoId),
        answer: VideoDescription,
        sent: { description },
        timeoutMs: changeMs,
      }),
    deleteVideo: async (user, videoId) => {
      await request({ ...forUser(user), method: 'DELETE', path: videoAt(videoId), answer: z.null() })
    },
    writeComment: (user, { videoId, text }) =>
      request({
        ...forUser(user),
        method: 'POST',
        path: commentsOf(videoId),
        answer: VideoComment,
        sent: { text },
      }),
    listComments: (user, { videoId, moderation, cursor }) => {
      const query = new URLSearchParams({ moderation, limit: '100', ...(cursor !== undefined && { cursor }) })
      return request({
        ...forUser(user),
        method: 'GET',
        path: `${commentsOf(videoId)}?${query}`,
        answer: VideoCommentList,
      })
    },
    listRecent: async (user) => (await get(user, 'channels/mine/videos', ChannelVideoList)).items,
  }
}
