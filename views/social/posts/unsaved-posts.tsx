import type { ListedUnsavedPost } from '#social/types'
import { Button } from '#views/ui/button.tsx'
import { Time } from '#views/ui/time.tsx'
import { excerpt } from './post-text.ts'

/** What the person typed earlier and hasn't saved, with a way to continue. */
export const UnsavedPosts = ({ items }: { items: readonly ListedUnsavedPost[] }) =>
  items.length === 0 ? (
    <></>
  ) : (
    <ul class="list unsaved" aria-label="Unsaved posts">
      {items.map((unsaved) => (
        <UnsavedRow unsaved={unsaved} />
      ))}
    </ul>
  )

const UnsavedRow = ({ unsaved }: { unsaved: ListedUnsavedPost }) => (
  <li id={`unsaved-${unsaved.id}`}>
    <span class="grow">
      <a class="wrap-anywhere" href={unsavedHref(unsaved)} safe>
        {excerpt(unsaved.text, 80) || 'No text yet'}
      </a>
      <small class="muted">
        Last edited <Time at={unsaved.updatedAt} />
      </small>
    </span>
    <Button
      label="Discard"
      aria-label={`Discard: ${excerpt(unsaved.text, 40) || 'No text yet'}`}
      size="sm"
      variant="ghost"
      hx-confirm="Discard this text? This can’t be undone."
      hx-delete={`/api/unsaved-posts/${unsaved.id}`}
      hx-target={`#unsaved-${unsaved.id}`}
      hx-swap="delete"
    />
  </li>
)

/** The composer with this text in it. */
export const unsavedHref = ({ id, brandId, postId }: Pick<ListedUnsavedPost, 'id' | 'brandId' | 'postId'>): string =>
  postId ? `/workspace/posts/${postId}/edit?unsaved=${id}` : `/workspace/posts/new?brandId=${brandId}&unsaved=${id}`
