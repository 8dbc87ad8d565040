import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import * as brands from '../brands/brands.ts'
import type { PagePreview } from '../contract.ts'
import { fetchImage, type ImageRequest } from './fetch-image.ts'
import { fetchPage } from './fetch-page.ts'
import type { PagePreviewInput } from './input.ts'
import { publishesImages } from './publishes-images.ts'
import { createRecentPages } from './recent-pages.ts'

interface Fetched {
  preview: PagePreview
  /** Whether its image can be there on the next request. */
  isImagePending: boolean
}

const recent = createRecentPages<Fetched>({
  keptMs: 5 * 60_000,
  most: 200,
  keeps: ({ isImagePending }) => !isImagePending,
})

/** @throws {Problem} 404 for the brand, 422 for a URL that leads to no web page, 429 and 503 as `fetchImage` */
export async function previewPage(call: Call<PagePreviewInput, Actor>): Promise<PagePreview> {
  const { db, actor, input, config, outbound, signal } = call
  const { organizationId, id, reviewPolicy } = await brands.get(db, actor, input.brandId)
  const hasImage = publishesImages(reviewPolicy)
  const request = { outbound, signal, organizationId, waitMs: config.IMAGE_WAIT_MS }
  const key = `${id} ${hasImage} ${input.url}`
  const { preview } = await recent(key, () => fetchPreview(request, input.url, { hasImage }))
  return preview
}

/** The preview of a page whose image can’t be downloaded has none. */
export async function fetchPreview(
  request: ImageRequest,
  url: string,
  { hasImage }: { hasImage: boolean },
): Promise<Fetched> {
  const page = await fetchPage(request, url)
  const fetched = page.imageUrl === null || !hasImage ? null : await fetchImage(request, page.imageUrl)
  const image = fetched?.kind === 'image' ? fetched.image : null
  const thumbnail =
    image && `data:${image.thumb.contentType};base64,${Buffer.from(image.thumb.data).toString('base64')}`
  return {
    preview: { ...page, url, imageUrl: image && page.imageUrl, thumbnail },
    isImagePending: fetched?.kind === 'busy' || fetched?.kind === 'unreachable',
  }
}
