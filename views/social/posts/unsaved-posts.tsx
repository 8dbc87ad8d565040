import type { ListedUnsavedPost } from '#social/types'
import { Button } from '#views/ui/button.tsx'
import { Time } from '#views/ui/time.tsx'
import type { Place } from './post-text.ts'

interface UnsavedPostsProps {
  items: readonly ListedUnsavedPost[]
  place: Place
}

/** What the person typed earlier and hasn't saved, with a way to continue. */
export const UnsavedPosts = ({ items, place }: UnsavedPostsProps) =>
  items.length === 0 ? (
    <></>
  ) : (
    <ul class="list unsaved" aria-label="Unsaved posts">
      {items.map((unsaved) => (
        <UnsavedRow unsaved={unsaved} place={place} />
      ))}
    </ul>
  )

const UnsavedRow = ({ unsaved, place }: { unsaved: ListedUnsavedPost; place: Place }) => (
  <li id={`unsaved-${unsaved.id}`}>
    <span class="grow">
      <a class="truncate" href={unsavedHref(unsaved)} safe>
        {unsaved.text.trim() || 'No text yet'}
      </a>
      <small class="muted">
        Not saved, <Time at={unsaved.updatedAt} zone={place.zone} />
      </small>
    </span>
    <Button
      label="Discard"
      size="sm"
      variant="ghost"
      hx-delete={`/api/unsaved-posts/${unsaved.id}`}
      hx-target={`#unsaved-${unsaved.id}`}
      hx-swap="delete"
    />
  </li>
)

/** The composer with this text in it. */
const unsavedHref = ({ id, brandId, postId }: ListedUnsavedPost): string =>
  postId ? `/workspace/posts/${postId}/edit` : `/workspace/posts/new?brandId=${brandId}&unsaved=${id}`
