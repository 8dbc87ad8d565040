export * from './contract/account-history.ts'
export * from './contract/accounts.ts'
export {
  contrastOnWhite,
  type HashtagPlacement,
  type HashtagPlacements,
  maxColors,
  maxHashtags,
  minTextContrast,
} from './contract/brand-voice.ts'
export * from './contract/brands.ts'
export * from './contract/calendar.ts'
export * from './contract/calendar-feeds.ts'
export * from './contract/queue.ts'
export * from './contract/corrections.ts'
export * from './contract/holiday-countries.ts'
export * from './contract/home.ts'
export * from './contract/images.ts'
export * from './contract/library.ts'
export * from './contract/link-previews.ts'
export {
  type ImageType,
  Media,
  MediaKind,
  type MediaType,
  Rendition,
  type Transcoding,
  Upload,
  type VideoType,
} from './contract/media.ts'
export * from './contract/networks.ts'
export * from './contract/pauses.ts'
export * from './contract/post-editors.ts'
export * from './contract/posts.ts'
export * from './contract/readiness.ts'
export * from './contract/review-links.ts'
export * from './contract/reviews.ts'
export * from './contract/suggestions.ts'
export * from './contract/unsaved-posts.ts'
