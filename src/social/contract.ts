export * from './contract/accounts.ts'
export * from './contract/brands.ts'
export * from './contract/calendar.ts'
export * from './contract/calendar-feeds.ts'
export * from './contract/holiday-countries.ts'
export * from './contract/home.ts'
export * from './contract/images.ts'
export * from './contract/library.ts'
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
export * from './contract/posts.ts'
export * from './contract/readiness.ts'
export * from './contract/unsaved-posts.ts'
