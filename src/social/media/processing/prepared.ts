import type { KeptRendition } from '../../schema.ts'

/** An image that a browser shows as it is. */
export interface Image extends KeptRendition {
  data: Uint8Array<ArrayBuffer>
}

/** An uploaded image with its copies. */
export interface Prepared {
  /** Upright, in sRGB, without what the camera wrote into it, such as the place where it was taken. */
  original: Image
  animated: boolean
  thumb: Image
  preview: Image
  /** For networks that take no large files; none of small images and of moving ones. */
  web?: Image
}

/** Why a file can't be used as an image, for the person who sent it. */
export class Unreadable extends Error {}
