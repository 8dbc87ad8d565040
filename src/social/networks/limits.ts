import type { ImageType } from '../contract.ts'
import type { Limits, Metadata, Network } from './network.ts'

/** The limits of a network for an account; its defaults without one. */
export const limitsOf = (network: Network, metadata: Metadata | null): Limits =>
  (metadata && network.limitsOf?.(metadata)) ?? network.limits

/** By how much a text is longer than the network takes, in words; null when it isn't. */
export function tooLong(network: Network, text: string, limits: Limits): string | null {
  const { name } = network
  const over = network.count(text, limits) - limits.characters
  if (over > 0) return `${name} takes ${limits.characters} characters: shorten the text by ${over}.`
  if (!limits.bytes || Buffer.byteLength(text) <= limits.bytes) return null
  return `${name} takes ${limits.bytes} bytes, and this text has ${Buffer.byteLength(text)}: shorten it.`
}

/** By how much there are more images than the network takes, in words; null when there aren't. */
export function tooMany({ name }: Network, images: number, { media }: Limits): string | null {
  if (images <= media) return null
  if (media === 0) return `${name} takes no images.`
  return `${name} takes ${media === 1 ? 'one image' : `${media} images`}: take ${images - media} out.`
}

interface ImageFacts {
  contentType: ImageType
  bytes: number
}

/** Whether the network takes an image of this type and size. */
export const takesImage = ({ images }: Limits, { contentType, bytes }: ImageFacts): boolean =>
  !images || (images.types.includes(contentType) && bytes <= images.bytes)

/** Why it doesn't, in words. */
export function whyNot({ name }: Network, { images }: Limits, { contentType, bytes }: ImageFacts): string {
  if (!images?.types.includes(contentType))
    return `${name} shows no ${kinds[contentType]}: choose another image for it.`
  return `${name} takes images of ${inMegabytes(images.bytes)}, and this one has ${inMegabytes(bytes)}.`
}

const kinds = { 'image/jpeg': 'JPEG', 'image/png': 'PNG', 'image/webp': 'WebP', 'image/gif': 'moving GIF' }

const inMegabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1).replace('.0', '')} MB`
