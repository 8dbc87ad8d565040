import type { ImageType } from '../contract.ts'
import type { Limits, Metadata, Network } from './network.ts'

/** The limits of a network for an account; its defaults without one. */
export const limitsOf = (network: Network, metadata: Metadata | null): Limits =>
  (metadata && network.limitsOf?.(metadata)) ?? network.limits

/** By how much a text is longer than the network takes, in words; null when it isn't. */
export function tooLong(network: Network, text: string, limits: Limits): string | null {
  const { name } = network
  const over = network.count(text, limits) - limits.characters
  if (over > 0) return `Shorten the text by ${over}. ${name} allows ${limits.characters} characters.`
  if (!limits.bytes || Buffer.byteLength(text) <= limits.bytes) return null
  return `Shorten the text. It has ${Buffer.byteLength(text)} bytes, and ${name} allows ${limits.bytes}.`
}

/** By how much there are more images than the network takes, in words; null when there aren't. */
export function tooMany({ name }: Network, images: number, { media }: Limits): string | null {
  if (images <= media) return null
  if (media === 0) return `${name} doesn’t support images. Remove them.`
  return `${name} allows ${media === 1 ? 'one image' : `${media} images`} per post. Remove ${images - media}.`
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
    return `${name} doesn’t support ${kinds[contentType]}. Choose another image.`
  return `This image is ${inMegabytes(bytes)}, but ${name} allows ${inMegabytes(images.bytes)}. Choose a smaller one.`
}

const kinds = {
  'image/jpeg': 'JPEG images',
  'image/png': 'PNG images',
  'image/webp': 'WebP images',
  'image/gif': 'animated GIFs',
}

const inMegabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1).replace('.0', '')} MB`
