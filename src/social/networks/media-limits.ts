import type { MediaKind, MediaType } from '../contract.ts'
import type { Limits, Network } from './network.ts'

/** What limits depend on; null when it is unknown. */
interface FileFacts {
  kind: MediaKind
  contentType: MediaType
  bytes: number
  durationMs: number | null
  videoCodec: string | null
  pages: number | null
  width: number | null
  height: number | null
}

/** The reason why a network rejects a post with these files together. */
export function describeExcessMedia({ name }: Network, files: number, limits: Limits): string | null {
  const { media, needsMedia } = limits
  const takesOnlyVideos = limits.images?.types.length === 0
  if (files === 0 && needsMedia) return `${name} needs ${takesOnlyVideos ? 'a video' : 'an image or a video'}. Add one.`
  if (files <= media) return null
  if (media === 0) return `${name} doesn’t support images. Remove them.`
  const one = takesOnlyVideos ? 'one video' : 'one image'
  return `${name} allows ${media === 1 ? one : `${media} images`} per post. Remove ${files - media}.`
}

/** Videos and documents are published alone, unless a network says otherwise. */
export function describeMixedMedia(
  { name }: Network,
  files: readonly { kind: MediaKind; animated: boolean }[],
  { videos, singleAnimation }: Limits,
): string | null {
  const kinds = files.map(({ kind }) => kind)
  if (kinds.length < 2) return null
  if (singleAnimation && files.some(({ animated }) => animated))
    return `${name} allows an animated GIF only by itself. Remove the other files.`
  if (kinds.every((kind) => kind === 'image')) return null
  if (kinds.includes('document')) return `${name} allows a document only by itself. Remove the other files.`
  return videos?.mixed ? null : `${name} allows a video only by itself. Remove the other files.`
}

export const acceptsMedia = (limits: Limits, file: FileFacts): boolean => findUnfitness(limits, file) === null

/** @returns why the network rejects a file for which `acceptsMedia` is false */
export const describeUnfitMedia = ({ name }: Pick<Network, 'name'>, limits: Limits, file: FileFacts): string =>
  findUnfitness(limits, file)?.(name) ?? `${name} doesn’t support this file. Choose another one.`

type Unfitness = (network: string) => string

function findUnfitness(limits: Limits, file: FileFacts): Unfitness | null {
  if (file.kind === 'image') return findUnfitImage(limits, file)
  return file.kind === 'video' ? findUnfitVideo(limits, file) : findUnfitDocument(limits, file)
}

function findUnfitImage({ images }: Limits, { contentType, bytes, width, height }: FileFacts): Unfitness | null {
  if (!images) return null
  if (images.types.length === 0) return (name) => `${name} doesn’t support images. Remove this one.`
  const type = images.types.find((one) => one === contentType)
  if (!type) return (name) => `${name} doesn’t support ${kindNames[contentType]}. Choose another image.`
  if (images.aspect && width && height && !isWithin(width / height, images.aspect))
    return (name) => `${name} doesn’t support the format of this image, which is too wide or too high. Crop it.`
  return bytes <= images.bytes ? null : describeSize('image', bytes, images.bytes)
}

/** Networks round it. */
const aspectTolerance = 0.01

const isWithin = (aspect: number, { min, max }: { min: number; max: number }): boolean =>
  aspect >= min - aspectTolerance && aspect <= max + aspectTolerance

function findUnfitVideo({ videos }: Limits, file: FileFacts): Unfitness | null {
  if (!videos) return (name) => `${name} doesn’t support videos. Remove this one.`
  const { contentType, bytes, durationMs, videoCodec } = file
  const { types, codecs, minDurationMs = 0, durationMs: maxDurationMs } = videos
  if (durationMs === null) return () => 'The length of this video is unknown. Choose another one.'
  const length = formatDuration(durationMs)
  if (durationMs > maxDurationMs)
    return (name) =>
      `This video is ${length} long, but ${name} allows ${formatDuration(maxDurationMs)}. Choose a shorter one.`
  if (durationMs < minDurationMs)
    return (name) =>
      `This video is ${length} long, but ${name} needs ${formatDuration(minDurationMs)}. Choose a longer one.`
  if (!types.some((type) => type === contentType))
    return (name) => `${name} doesn’t support ${kindNames[contentType]}. Choose an MP4 video with H.264.`
  if (videoCodec === null || !codecs.includes(videoCodec))
    return (name) =>
      `${name} doesn’t support the codec ${videoCodec ?? 'of this video'}. Choose an MP4 video with H.264.`
  return bytes <= videos.bytes ? null : describeSize('video', bytes, videos.bytes)
}

function findUnfitDocument({ documents }: Limits, { bytes, pages }: FileFacts): Unfitness | null {
  if (!documents) return (name) => `${name} doesn’t support PDF documents. Remove this one.`
  if (pages !== null && pages > documents.pages)
    return (name) => `This document has ${pages} pages, but ${name} allows ${documents.pages}. Choose a shorter one.`
  return bytes <= documents.bytes ? null : describeSize('document', bytes, documents.bytes)
}

const describeSize =
  (what: string, bytes: number, most: number): Unfitness =>
  (name) =>
    `This ${what} is ${formatMegabytes(bytes)}, but ${name} allows ${formatMegabytes(most)}. Choose a smaller one.`

const kindNames: Record<MediaType, string> = {
  'image/jpeg': 'JPEG images',
  'image/png': 'PNG images',
  'image/webp': 'WebP images',
  'image/gif': 'animated GIFs',
  'video/mp4': 'MP4 videos',
  'video/quicktime': 'MOV videos',
  'video/webm': 'WebM videos',
  'application/pdf': 'PDF documents',
}

const formatMegabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1).replace('.0', '')} MB`

/** Such as `2:20` or `1:02:03`. */
function formatDuration(ms: number): string {
  const seconds = Math.ceil(ms / 1000)
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  const rest = String(seconds % 60).padStart(2, '0')
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`
}
