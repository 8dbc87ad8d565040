import type { Post } from '#social/types'
import { networkNames, readsPages } from './post-text.ts'

type SettingsProps = Pick<Post, 'provider' | 'linkPreview' | 'youtube'> & {
  /** Whether the image of the link preview is published; null when that isn’t known, or there is none. */
  linkPreviewImage: boolean | null
}

/** What is published with a post, and approved with it, besides its text and files. */
export const PostSettings = (post: SettingsProps) => (
  <>
    {[...describeLink(post), ...describeVideo(post)].map((line) => (
      <p class="prose muted wrap-anywhere" safe>
        {line}
      </p>
    ))}
  </>
)

function describeLink({ provider, linkPreview, linkPreviewImage }: SettingsProps): string[] {
  if (!linkPreview) return []
  const { url, title, description, imageUrl } = linkPreview
  if (readsPages.has(provider))
    return [
      `Link preview: ${url}`,
      `${networkNames[provider]} reads the title and image of this page when the post is published; they can change after the approval.`,
    ]
  const card = `Link preview: ${[title, description, url].filter(Boolean).join(' · ')}`
  if (imageUrl === null || linkPreviewImage === null) return [card]
  const image = linkPreviewImage
    ? `Image of the link preview: ${imageUrl}`
    : 'The image of the link preview isn’t published: the brand requires approvals.'
  return [card, image]
}

function describeVideo({ youtube }: SettingsProps): string[] {
  if (!youtube) return []
  const facts = [
    `YouTube: ${youtube.title ?? 'the first line as title'}`,
    youtube.privacy,
    youtube.tags.length > 0 ? `tags ${youtube.tags.join(', ')}` : null,
    youtube.madeForKids ? 'made for kids' : 'not made for kids',
  ]
  return [facts.filter(Boolean).join(' · ')]
}
