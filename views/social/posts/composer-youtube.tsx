import type { Post } from '#social/types'
import { SelectField, TextField } from '#views/ui/form.tsx'

interface YouTubeFieldsProps {
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

/** What a video has besides its description. Shown while a channel is chosen: one can be connected while a post is written. */
export const YouTubeFields = ({ post }: YouTubeFieldsProps) => {
  if (post && post.provider !== 'youtube') return <></>
  const { title, privacy = 'private', tags = [], madeForKids = false } = post?.youtube ?? {}
  return (
    <fieldset class="card" data-tone="sunken" id="youtube" aria-label="YouTube video" hidden={post === null}>
      <div class="body stack">
        <TextField
          label="Video title"
          name="youtube.title"
          id="youtube-title"
          value={title ?? ''}
          hint="If empty, the first line of the text. The text is the description."
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
