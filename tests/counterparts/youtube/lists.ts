import { z } from 'zod'
import type { Call } from '../wire/call.ts'
import { refuse } from './errors.ts'
import { videoResource, type Channel, type Uploads, type Video } from './uploads.ts'

/** Of a channel's uploads. */
const playlistOf = (channel: string) => `UU${channel.slice(2)}`

export const listOf = (kind: string, items: unknown[], page: { nextPageToken?: string; total?: number } = {}) =>
  Response.json({
    kind: `youtube#${kind}ListResponse`,
    etag: 'etag',
    ...(page.nextPageToken !== undefined && { nextPageToken: page.nextPageToken }),
    items,
    pageInfo: { totalResults: page.total ?? items.length, resultsPerPage: items.length },
  })

export function partsOf(part: string, known: readonly string[]): string[] {
  const parts = part.split(',')
  const strange = parts.find((each) => !known.includes(each))
  if (strange !== undefined)
    throw refuse(400, `'${strange}'`, { reason: 'unknownPart', domain: 'youtube.part', location: 'part' })
  return parts
}

const Page = {
  maxResults: z.stringFormat('number', /^(?:[1-9]|[1-4]\d|50)$/).optional(),
  pageToken: z.stringFormat('token', /^\d+$/).optional(),
}

export function listChannels(call: Call, channel: Channel): Response {
  const { part } = call.search(z.strictObject({ part: z.string(), mine: z.literal('true'), ...Page }))
  const parts = partsOf(part, ['id', 'snippet', 'statistics', 'contentDetails', 'status'])
  // Without a channel, Google leaves the items out.
  if (channel.isMissing)
    return Response.json({
      kind: 'youtube#channelListResponse',
      etag: 'etag',
      pageInfo: { totalResults: 0, resultsPerPage: 5 },
    })
  const thumbnail = { url: 'https://yt3.ggpht.com/a=s88', width: 88, height: 88 }
  const all: Record<string, unknown> = {
    snippet: {
      title: channel.title,
      description: '',
      customUrl: `@${channel.username}`,
      publishedAt: '2020-01-01T00:00:00Z',
      thumbnails: { default: thumbnail, medium: thumbnail, high: thumbnail },
      localized: { title: channel.title, description: '' },
    },
    statistics: { viewCount: '10', subscriberCount: '3', hiddenSubscriberCount: false, videoCount: '1' },
    contentDetails: { relatedPlaylists: { likes: '', uploads: playlistOf(channel.id) } },
  }
  return listOf('channel', [
    {
      kind: 'youtube#channel',
      etag: 'etag',
      id: channel.id,
      ...Object.fromEntries(parts.filter((each) => each in all).map((each) => [each, all[each]])),
    },
  ])
}

export function listVideos(call: Call, channel: Channel, uploads: Uploads): Response {
  const { part, id } = call.search(z.strictObject({ part: z.string(), id: z.string().min(1) }))
  const parts = partsOf(part, ['id', 'snippet', 'status', 'processingDetails', 'contentDetails', 'statistics'])
  const ids = id.split(',')
  const isVisible = (video: Video) => video.channel === channel.id || video.privacy !== 'private'
  const found = uploads.videos.filter((video) => ids.includes(video.id) && isVisible(video))
  if (parts.includes('processingDetails') && found.some((video) => video.channel !== channel.id))
    throw refuse(403, 'The request is not properly authorized to access video processing information.', {
      reason: 'forbidden',
      domain: 'youtube.video',
    })
  for (const video of found) uploads.look(video)
  return listOf(
    'video',
    found.map((video) => videoResource(video, parts)),
  )
}

/** Newest first. */
export function listUploads(call: Call, channel: Channel, uploads: Uploads): Response {
  const query = call.search(z.strictObject({ part: z.string(), playlistId: z.string(), ...Page }))
  const parts = partsOf(query.part, ['id', 'snippet', 'contentDetails', 'status'])
  if (query.playlistId !== playlistOf(channel.id))
    throw refuse(404, 'The playlist identified with the request’s playlistId parameter cannot be found.', {
      reason: 'playlistNotFound',
      domain: 'youtube.playlistItem',
      location: 'playlistId',
      locationType: 'parameter',
    })
  const own = uploads.videos.filter((video) => video.channel === channel.id).toReversed()
  const [from, count] = [Number(query.pageToken ?? 0), Number(query.maxResults ?? 5)]
  const page = own.slice(from, from + count)
  const items = page.map((video) => {
    const publishedAt = new Date(video.publishedAt).toISOString()
    const all: Record<string, unknown> = {
      snippet: {
        publishedAt,
        channelId: channel.id,
        title: video.title,
        description: video.description,
        playlistId: query.playlistId,
        resourceId: { kind: 'youtube#video', videoId: video.id },
      },
      contentDetails: { videoId: video.id, videoPublishedAt: publishedAt },
      status: { privacyStatus: video.privacy },
    }
    return {
      kind: 'youtube#playlistItem',
      etag: 'etag',
      id: `item-${video.id}`,
      ...Object.fromEntries(parts.filter((each) => each in all).map((each) => [each, all[each]])),
    }
  })
  const hasMore = own.length > from + count
  return listOf('playlistItem', items, { total: own.length, ...(hasMore && { nextPageToken: String(from + count) }) })
}
