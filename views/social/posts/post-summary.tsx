import type { PostDetails } from '#social/types'
import { timeText } from '#views/ui/time.tsx'
import { PostFacts } from './post-facts.tsx'
import { PostPreview } from './post-preview.tsx'
import { PostSettings } from './post-settings.tsx'
import type { Place } from './post-text.ts'
import { shotsOf } from './shots.tsx'

interface PostSummaryProps {
  post: PostDetails
  place: Place
}

export const PostSummary = ({ post, place }: PostSummaryProps) => (
  <aside class="stack" style="--gap: 1.5rem" aria-label="Preview and details">
    <PostPreview
      network={post.provider}
      brand={place.brand}
      account={post.accountName}
      text={post.text}
      images={shotsOf(post)}
      when={timeIn(post, place)}
    >
      <PostSettings {...post} />
    </PostPreview>
    <PostFacts post={post} place={place} />
  </aside>
)

const timeIn = ({ status, publishedAt, scheduledAt }: PostDetails, { zone }: Place): string => {
  const at = publishedAt ?? scheduledAt
  if (!at) return 'Draft'
  return status === 'draft' ? `Planned for ${timeText(at, zone, 'full')}` : timeText(at, zone, 'full')
}
