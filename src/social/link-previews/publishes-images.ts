import { linkPreviewsOf, type LinkPreview, type PostStatus, type Provider } from '../contract.ts'
import { policyOf } from '../review/policy.ts'
import type { ReviewPolicy } from '../schema.ts'

/** Not where approvals are required: its site can replace the image after them. */
export const publishesImages = (policy: ReviewPolicy): boolean => policyOf(policy).approvals === 0

interface PostWithLink {
  provider: Provider
  status: PostStatus
  linkPreview: LinkPreview | null
}

/** As `LinkPreviewImage` of the API. */
export function publishesImageOf(
  { provider, status, linkPreview }: PostWithLink,
  policy: ReviewPolicy,
): boolean | null {
  const hasImage = linkPreview !== null && linkPreview.imageUrl !== null && linkPreviewsOf[provider] === 'card'
  return hasImage && status !== 'published' ? publishesImages(policy) : null
}
