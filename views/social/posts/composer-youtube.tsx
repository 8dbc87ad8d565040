import type { Post } from '#social/types'
import { SelectField, TextField } from '#views/ui/form.tsx'
import type { Account } from './composer-targets.tsx'

interface YouTubeFieldsProps {
  accounts: Account[]
  post: Post | null
}

export const visibilities = [
  { value: 'private', label: 'Private' },
  { value: 'unlisted', label: 'Unlisted' },
  { value: 'public', label: 'Public' },
]

const audiences = [
  { value: 'false', label: 'Not made for kids' },
  { value: 'true', label: 'Made for kids' },
]

/** What a video has besides its description. Shown while a channel is chosen. */
export const YouTubeFields = ({ accounts, post }: YouTubeFieldsProps) => {
  const account = accounts.find(({ provider }) => provider === 'youtube')
  if (!account) return <></>
  const { title, videoTags, refusedCharacters } = account.limits
  const { title: own, privacy = 'private', tags = [], madeForKids = false } = post?.youtube ?? {}
  return (
    <fieldset
      class="card"
      data-tone="sunken"
      id="youtube"
      aria-label="YouTube video"
      data-title={title ?? undefined}
      data-tags={videoTags ?? undefined}
      data-refused={refusedCharacters ?? undefined}
      hidden={post === null}
    >
      <div class="body stack">
        <TextField
          label="Video title"
          name="youtube.title"
          id="youtube-title"
          value={own ?? ''}
          hint="The first line of the text when empty. The text is the description."
          autocomplete="off"
        />
        <div class="fields">
          <SelectField
            label="Visibility"
            name="youtube.privacy"
            id="youtube-privacy"
            options={visibilities}
            value={privacy}
          />
          <SelectField
            label="Audience"
            name="youtube.madeForKids"
            id="youtube-audience"
            options={audiences}
            value={String(madeForKids)}
          />
        </div>
        <TextField
          label="Video tags"
          name="youtube.tags"
          id="youtube-tags"
          value={tags.join(', ')}
          hint="For YouTube’s search. Separate with commas."
          autocomplete="off"
        />
        <p class="small muted" data-youtube-hint>
          <output />
        </p>
      </div>
    </fieldset>
  )
}
