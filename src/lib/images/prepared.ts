import type { ImageType } from './image-type.ts'

export interface Image {
  contentType: ImageType
  width: number
  height: number
  bytes: number
  data: Uint8Array<ArrayBuffer>
}

export interface Animation {
  frames: number
  durationMs: number
}

export interface PreparedImage {
  /** Upright, in sRGB, without the camera's metadata, such as the location. */
  original: Image
  /** Null for a still image. */
  animation: Animation | null
  thumb: Image
  preview: Image
  /** A JPEG for networks that accept no large files, or only this type; not for small JPEGs and animated images. */
  web?: Image
}

/** Its message is for the person who sent the file. */
export class UnreadableImageError extends Error {}
