import type { RequestKind } from '../contract.ts'
import type { VideoEndpoint } from '../endpoint.ts'
import { forbidden, GoogleError } from '../google-error.ts'
import { hasChannel } from '../token.ts'
import type { VideoRow } from '../upload/sessions.ts'
import { invalidParameter, listOf, pageOf, readBoolean, readFilter, readPage, readParts } from './query.ts'
import {
  channelIdOf,
  channelParts,
  channelResource,
  listResponse,
  playlistItemResource,
  searchResource,
  uploadsIdOf,
  videoParts,
  videoResource,
} from './resources.ts'
import { canSee, countVideos, listByIds, listVideosOf } from './store.ts'

const read = {
  method: 'GET',
  scope: 'read',
  cost: { bucket: 'other', units: 1 },
  kindOf: (): RequestKind => 'api',
} as const

const maxIds = 50

export const listChannels: VideoEndpoint = {
  ...read,
  path: '/youtube/v3/channels',
  query: ['part', 'id', 'mine', 'forHandle', 'hl', 'maxResults', 'pageToken'],
  prepare: async ({ db, bearer, query }) => {
    const parts = readParts(query, channelParts)
    const filter = readFilter(query, ['id', 'mine', 'forHandle'])
    const page = readPage(query)
    const own = channelIdOf(bearer.account)
    const isOwn =
      filter === 'mine'
        ? readBoolean(query, 'mine')
        : filter === 'id'
          ? listOf(query, 'id').includes(own)
          : query.get('forHandle')?.replace(/^@/, '') === bearer.account
    return async () => {
      const count = await countVideos(db, bearer.account)
      const channels = isOwn && hasChannel(bearer) ? [channelResource(bearer.account, parts, count)] : []
      const { items, envelope } = pageOf(channels, page)
      return listResponse('channel', envelope, items)
    }
  },
}

export const listVideos: VideoEndpoint = {
  ...read,
  path: '/youtube/v3/videos',
  query: ['part', 'id', 'hl', 'maxHeight', 'maxWidth', 'maxResults', 'pageToken', 'chart', 'myRating'],
  prepare: async ({ db, bearer, query, now }) => {
    const parts = readParts(query, videoParts)
    const filter = readFilter(query, ['id', 'chart', 'myRating'])
    const ids = listOf(query, 'id')
    if (ids.length > maxIds) throw invalidParameter('id', ids.join(','))
    return async () => {
      const found = filter === 'id' ? await listByIds(db, ids) : []
      const items = ids.flatMap((id) => found.filter((video) => video.id === id && canSee(video, bearer.account)))
      const pageInfo = { totalResults: items.length, resultsPerPage: items.length }
      return listResponse(
        'video',
        { pageInfo },
        items.map((video) => videoResource(video, parts, now())),
      )
    }
  },
}

const searchOrders = ['date', 'rating', 'relevance', 'title', 'videoCount', 'viewCount']

const has =
  (words: string) =>
  ({ metadata: { snippet } }: VideoRow): boolean =>
    `${snippet.title} ${snippet.description ?? ''}`.toLowerCase().includes(words.toLowerCase())

/** Of the caller’s own channel: the public rest of YouTube is empty. */
export const search: VideoEndpoint = {
  ...read,
  path: '/youtube/v3/search',
  cost: { bucket: 'search.list', units: 1 },
  query: ['part', 'forMine', 'channelId', 'type', 'q', 'order', 'maxResults', 'pageToken', 'publishedAfter'],
  prepare: async ({ db, bearer, query }) => {
    readParts(query, ['snippet'])
    const isMine = readBoolean(query, 'forMine')
    if (isMine && listOf(query, 'type').join() !== 'video')
      throw new GoogleError(400, 'The forMine parameter requires the type parameter to be video.', {
        reason: 'invalidSearchFilter',
        domain: 'youtube.search',
        location: 'type',
        locationType: 'parameter',
      })
    const order = query.get('order') ?? 'relevance'
    if (!searchOrders.includes(order)) throw invalidParameter('order', order)
    const after = new Date(query.get('publishedAfter') ?? 0)
    if (Number.isNaN(after.getTime())) throw invalidParameter('publishedAfter', query.get('publishedAfter') ?? '')
    const page = readPage(query)
    const isOwn = isMine || query.get('channelId') === channelIdOf(bearer.account)
    return async () => {
      const videos = isOwn ? await listVideosOf(db, bearer.account) : []
      const visible = videos
        .filter(has(query.get('q') ?? ''))
        .filter(
          ({ metadata, createdAt }) => createdAt >= after && (isMine || metadata.status.privacyStatus === 'public'),
        )
      const { items, envelope } = pageOf(visible, page)
      return listResponse('search', { regionCode: 'US', ...envelope }, items.map(searchResource))
    }
  },
}

export const listPlaylistItems: VideoEndpoint = {
  ...read,
  path: '/youtube/v3/playlistItems',
  query: ['part', 'playlistId', 'videoId', 'maxResults', 'pageToken'],
  prepare: async ({ db, bearer, query }) => {
    const parts = readParts(query, ['snippet', 'contentDetails', 'status'])
    readFilter(query, ['playlistId'])
    const page = readPage(query)
    if (query.get('playlistId') !== uploadsIdOf(bearer.account)) {
      if (query.get('playlistId')?.startsWith('UU')) throw forbidden()
      throw new GoogleError(404, 'The playlist identified with the request’s playlistId parameter cannot be found.', {
        reason: 'playlistNotFound',
        domain: 'youtube.playlistItem',
        location: 'playlistId',
        locationType: 'parameter',
      })
    }
    return async () => {
      const { items, envelope } = pageOf(
        (await listVideosOf(db, bearer.account)).filter(({ id }) => [null, id].includes(query.get('videoId'))),
        page,
      )
      return listResponse(
        'playlistItem',
        envelope,
        items.map((video) => playlistItemResource(video, parts)),
      )
    }
  },
}
