import { digest } from '#lib/ids.ts'
import type { VideoRow } from '../upload/sessions.ts'

export const videoParts = [
  'contentDetails',
  'fileDetails',
  'liveStreamingDetails',
  'localizations',
  'player',
  'processingDetails',
  'recordingDetails',
  'snippet',
  'statistics',
  'status',
  'suggestions',
  'topicDetails',
]
export const channelParts = [
  'auditDetails',
  'brandingSettings',
  'contentDetails',
  'contentOwnerDetails',
  'localizations',
  'snippet',
  'statistics',
  'status',
  'topicDetails',
]

/** Until then a video is being processed. */
const processingMs = 1_000

/** Accounts can’t be reversed from it, and it is the same in every project. */
const channelKey = (account: string) => Buffer.from(digest(account), 'hex').toString('base64url').slice(0, 22)
export const channelIdOf = (account: string): string => `UC${channelKey(account)}`
/** The playlist with the uploads of a channel. */
export const uploadsIdOf = (account: string): string => `UU${channelKey(account)}`
const channelTitleOf = (account: string) => `Channel of ${account}`

const withEtag = <Resource extends object>(kind: string, resource: Resource) => ({
  kind: `youtube#${kind}`,
  etag: digest(JSON.stringify(resource)).slice(0, 27),
  ...resource,
})

export const listResponse = (kind: string, envelope: object, items: object[]) =>
  Response.json(withEtag(`${kind}ListResponse`, { ...envelope, items }))

export const thumbnailsOf = (id: string) => ({
  default: { url: `https://i.ytimg.example/vi/${id}/default.jpg`, width: 120, height: 90 },
  medium: { url: `https://i.ytimg.example/vi/${id}/mqdefault.jpg`, width: 320, height: 180 },
})

const pick = (parts: readonly string[], all: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(all).filter(([part, value]) => parts.includes(part) && value !== undefined))

export function videoResource(video: VideoRow, parts: readonly string[], now: Date) {
  const { id, account, metadata, createdAt } = video
  const { snippet, status, recordingDetails, localizations } = metadata
  const { title, description = '' } = snippet
  const isProcessed = now.getTime() - createdAt.getTime() >= processingMs
  return withEtag('video', {
    id,
    ...pick(parts, {
      snippet: {
        publishedAt: createdAt,
        channelId: channelIdOf(account),
        channelTitle: channelTitleOf(account),
        liveBroadcastContent: 'none',
        thumbnails: thumbnailsOf(id),
        ...snippet,
        description,
        categoryId: snippet.categoryId ?? '22',
        localized: { title, description },
      },
      status: {
        uploadStatus: isProcessed ? 'processed' : 'uploaded',
        license: 'youtube',
        embeddable: true,
        publicStatsViewable: true,
        madeForKids: status.selfDeclaredMadeForKids ?? false,
        ...status,
      },
      contentDetails: {
        duration: isProcessed ? 'PT1M' : 'P0D',
        dimension: '2d',
        definition: 'hd',
        caption: 'false',
        licensedContent: false,
        projection: 'rectangular',
        hasCustomThumbnail: video.thumbnail !== null,
      },
      processingDetails: { processingStatus: isProcessed ? 'succeeded' : 'processing' },
      fileDetails: { fileSize: String(video.length), fileType: 'video' },
      statistics: { viewCount: '0', likeCount: '0', favoriteCount: '0', commentCount: '0' },
      player: { embedHtml: `<iframe src="//www.youtube.com/embed/${id}"></iframe>` },
      recordingDetails: recordingDetails ?? {},
      localizations,
    }),
  })
}

export function channelResource(account: string, parts: readonly string[], videoCount: number) {
  const title = channelTitleOf(account)
  const description = ''
  const id = channelIdOf(account)
  return withEtag('channel', {
    id,
    ...pick(parts, {
      snippet: {
        title,
        description,
        customUrl: `@${account}`,
        publishedAt: '2020-01-01T00:00:00Z',
        thumbnails: thumbnailsOf(id),
        localized: { title, description },
      },
      contentDetails: { relatedPlaylists: { likes: '', uploads: uploadsIdOf(account) } },
      statistics: {
        viewCount: '0',
        subscriberCount: '0',
        hiddenSubscriberCount: false,
        videoCount: String(videoCount),
      },
      status: { privacyStatus: 'public', isLinked: true, longUploadsStatus: 'allowed', madeForKids: false },
      brandingSettings: { channel: { title } },
    }),
  })
}

export const searchResource = ({ id, account, metadata, createdAt }: VideoRow) =>
  withEtag('searchResult', {
    id: { kind: 'youtube#video', videoId: id },
    snippet: {
      publishedAt: createdAt,
      channelId: channelIdOf(account),
      channelTitle: channelTitleOf(account),
      title: metadata.snippet.title,
      description: metadata.snippet.description ?? '',
      thumbnails: thumbnailsOf(id),
      liveBroadcastContent: 'none',
    },
  })

export const playlistItemResource = ({ id, account, metadata, createdAt }: VideoRow, parts: readonly string[]) =>
  withEtag('playlistItem', {
    id: digest(`${uploadsIdOf(account)} ${id}`).slice(0, 40),
    ...pick(parts, {
      snippet: {
        publishedAt: createdAt,
        channelId: channelIdOf(account),
        title: metadata.snippet.title,
        description: metadata.snippet.description ?? '',
        thumbnails: thumbnailsOf(id),
        channelTitle: channelTitleOf(account),
        playlistId: uploadsIdOf(account),
        resourceId: { kind: 'youtube#video', videoId: id },
      },
      contentDetails: { videoId: id, videoPublishedAt: createdAt },
      status: { privacyStatus: metadata.status.privacyStatus },
    }),
  })
