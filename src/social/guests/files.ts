import type { Rendition } from '../contract.ts'
import type { MediaRow, Variant } from '../media/files.ts'

/**
 * The stored file of what a guest requests: a copy, as originals of photos have their places. Of a video that needs no
 * copy it is the original, which networks get, too.
 */
export const variantFor = (file: MediaRow, rendition: Rendition): Variant =>
  rendition === 'web' && file.kind === 'video' && isPublishedAsIs(file) ? 'original' : rendition

export const canPlay = (file: MediaRow): boolean =>
  file.kind === 'video' && file.status === 'ready' && (file.renditions.web !== undefined || isPublishedAsIs(file))

const isPublishedAsIs = ({ status, renditions, transcoding }: MediaRow): boolean =>
  status === 'ready' && renditions.web === undefined && transcoding === null
