import type { PostEditorList } from '#social/types'
import { Button } from '#views/ui/button.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { Avatar } from '#views/ui/marks.tsx'
import { timeText, viewerZone } from '#views/ui/time.tsx'

interface ComposerPeopleProps {
  postId: string
  brandId: string
  /** Of this page. */
  tabId: string
}

const newerVersion = 'newer-version'
const maxAvatars = 4

/** Who else edits the post. It reports this page every 20 s, and is drawn again when people come, leave or save. */
export const ComposerPeople = ({ postId, brandId, tabId }: ComposerPeopleProps) => (
  // When the post is deleted, the text becomes that of a new post: `gone` has nothing to reload.
  <div hx-trigger="gone">
    <post-editors
      class="row"
      data-live={`editors:${postId} posts:${brandId}`}
      data-reads
      data-tab={tabId}
      hx-post={`/api/posts/${postId}/editors`}
      hx-vals={JSON.stringify({ tabId })}
      hx-include="post-composer input[name='version']"
      hx-trigger="load, live, every 20s"
      hx-target="this"
      hx-swap="innerMorph"
    >
      <output class="visually-hidden" />
    </post-editors>
  </div>
)

/** Where the page says that a newer version was saved. */
export const NewerVersionPlace = () => <div class="newer-version" id={newerVersion} />

interface EditorsProps {
  list: PostEditorList
  /** Who sees it. */
  personId: string
  /** Which they edit. */
  version?: number
}

export const Editors = ({ list, personId, version = list.version }: EditorsProps) => {
  const others = list.items.filter((editor) => editor.personId !== personId).map(({ name }) => name ?? 'Another person')
  return (
    <>
      <output class="visually-hidden" safe>
        {presenceOf(others)}
      </output>
      <span class="avatars">
        {others.slice(0, maxAvatars).map((name) => (
          <span title={`${name} also has this post open`}>
            <Avatar name={name} labelled />
          </span>
        ))}
        {others.length > maxAvatars ? <span class="small muted" safe>{`+${others.length - maxAvatars}`}</span> : null}
      </span>
      <hx-partial hx-target={`#${newerVersion}`} hx-swap="innerMorph">
        {list.version > version ? <NewerVersion list={list} personId={personId} /> : null}
      </hx-partial>
    </>
  )
}

const NewerVersion = ({ list: { savedAt, savedBy }, personId }: EditorsProps) => {
  const saver = savedBy?.personId === personId ? 'You' : savedBy?.name
  const title = `${saver ? `${saver} saved a newer version` : 'A newer version was saved'} at ${timeText(savedAt, viewerZone(), 'time')}`
  return (
    <compare-versions>
      <Notice tone="warning" role="status" title={title} text="Your text isn’t lost. Compare both before you save.">
        <div class="actions">
          <Button label="Compare" size="sm" data-compare />
        </div>
      </Notice>
    </compare-versions>
  )
}

const presenceOf = (names: readonly string[]): string =>
  names.length === 0
    ? ''
    : `${new Intl.ListFormat('en').format(names)} also ${names.length === 1 ? 'has' : 'have'} this post open`
