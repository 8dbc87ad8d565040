import type { ListedPost, PostDetails } from '#social/types'
import { Icon } from '#views/ui/icon.tsx'
import { accountName, excerpt, networkNames } from './post-text.ts'

interface AlsoFieldProps {
  post: PostDetails | null
  siblings?: ListedPost[]
}

/** The posts of the submission to which an edit can be applied, too. */
export const AlsoField = ({ post, siblings = [] }: AlsoFieldProps) => {
  const others = siblings.filter((sibling) => post && isCounterpart(post, sibling))
  return others.length === 0 ? (
    <></>
  ) : (
    <fieldset class="field">
      <legend>Also change</legend>
      <small class="muted">
        Their text, files, tags and campaign become the same. Their time, too, if you change it.
      </small>
      {others.map(({ id, version, provider, accountName: name, text }, at) => (
        <label class="check">
          <input
            type="checkbox"
            name="also[]"
            value={`${id}:${version}`}
            id={at === 0 ? 'also' : undefined}
            aria-describedby="also-error"
          />
          <span>
            <span class="wrap-anywhere" safe>{`${networkNames[provider]}, ${accountName(provider, name)}`}</span>
            <small class="muted wrap-anywhere" safe>
              {text === post?.text ? 'Has the same text' : `Has a different text: ${excerpt(text, 60)}`}
            </small>
          </span>
        </label>
      ))}
      <p class="error" id="also-error">
        <Icon name="circle-alert" />
        <span />
      </p>
    </fieldset>
  )
}

const isCounterpart = (post: PostDetails, sibling: ListedPost): boolean =>
  sibling.can.update &&
  // Saving sends the status, which would move the others without a word.
  sibling.status === post.status &&
  sibling.position === post.position &&
  sibling.groupId === post.groupId &&
  post.groupId !== null
