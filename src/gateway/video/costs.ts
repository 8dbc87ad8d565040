import type { QuotaBucket } from '../contract/video.ts'

/** Units of each method of YouTube’s Data API v3 in the shared bucket. */
const shared = {
  'activities.list': 1,
  'captions.list': 50,
  'captions.insert': 400,
  'captions.update': 450,
  'captions.delete': 50,
  'channelBanners.insert': 50,
  'channels.list': 1,
  'channels.update': 50,
  'channelSections.list': 1,
  'channelSections.insert': 50,
  'channelSections.update': 50,
  'channelSections.delete': 50,
  'comments.list': 1,
  'comments.insert': 50,
  'comments.update': 50,
  'comments.delete': 50,
  'comments.setModerationStatus': 50,
  'commentThreads.list': 1,
  'commentThreads.insert': 50,
  'i18nLanguages.list': 1,
  'i18nRegions.list': 1,
  'members.list': 1,
  'membershipsLevels.list': 1,
  'playlistItems.list': 1,
  'playlistItems.insert': 50,
  'playlistItems.update': 50,
  'playlistItems.delete': 50,
  'playlists.list': 1,
  'playlists.insert': 50,
  'playlists.update': 50,
  'playlists.delete': 50,
  'search.list': 100,
  'subscriptions.list': 1,
  'subscriptions.insert': 50,
  'subscriptions.delete': 50,
  'thumbnails.set': 50,
  'videoAbuseReportReasons.list': 1,
  'videoCategories.list': 1,
  'videos.batchGetStats': 1,
  'videos.delete': 50,
  'videos.getRating': 1,
  'videos.insert': 1_600,
  'videos.list': 1,
  'videos.rate': 50,
  'videos.reportAbuse': 50,
  'videos.update': 50,
  'watermarks.set': 50,
  'watermarks.unset': 50,
} as const

export type VideoMethod = keyof typeof shared

interface Revision {
  /** Pacific day from which it is valid. */
  from: string
  /** Units in the shared bucket where they differ. */
  units?: Partial<Record<VideoMethod, number>>
  /** Methods with a bucket of their own, at 1 unit a call, and the calls a day. */
  own?: Partial<Record<VideoMethod & QuotaBucket, number>>
}

const sharedPerDay = 10_000

/** Newest first (developers.google.com/youtube/v3/revision_history). */
const revisions: readonly Revision[] = [
  { from: '2026-06-03', own: { 'videos.insert': 100, 'search.list': 100, 'videos.batchGetStats': 10_000 } },
  { from: '2026-06-01', own: { 'videos.insert': 100, 'search.list': 100 } },
  { from: '2025-12-04', units: { 'videos.insert': 100 } },
  { from: '0001-01-01' },
]

export interface MethodCost {
  bucket: QuotaBucket
  units: number
  /** Units a day, unless Google granted the project others. */
  limit: number
  /** The day from which these costs are valid. */
  priceDate: string
}

const revisionOf = (day: string): Revision => revisions.find(({ from }) => from <= day) ?? { from: day }

const isBucket = (method: VideoMethod): method is VideoMethod & QuotaBucket =>
  method === 'videos.insert' || method === 'search.list' || method === 'videos.batchGetStats'

export function methodCost(method: VideoMethod, day: string): MethodCost {
  const { from: priceDate, own = {}, units = {} } = revisionOf(day)
  const limit = isBucket(method) ? own[method] : undefined
  if (isBucket(method) && limit !== undefined) return { bucket: method, units: 1, limit, priceDate }
  return { bucket: 'other', units: units[method] ?? shared[method], limit: sharedPerDay, priceDate }
}

/** The buckets of a Pacific day with their units. */
export function bucketLimits(day: string): ReadonlyMap<QuotaBucket, number> {
  const { own = {} } = revisionOf(day)
  const limits = new Map<QuotaBucket, number>()
  for (const method of ['videos.insert', 'search.list', 'videos.batchGetStats'] as const) {
    const limit = own[method]
    if (limit !== undefined) limits.set(method, limit)
  }
  return limits.set('other', sharedPerDay)
}
