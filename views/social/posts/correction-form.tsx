import type { PostDetails } from '#social/types'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { Field, Form, TextField, UnsavedChanges } from '#views/ui/form.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { excerpt, networkNames, postHref } from './post-text.ts'

/** Apart from the page of the post, which is redrawn while someone types. */
export const CorrectionForm = ({ post }: { post: PostDetails }) => {
  const network = networkNames[post.provider]
  return (
    <>
      <header class="page-header">
        <nav class="crumbs" aria-label="Breadcrumb">
          <a href={postHref(post)} class="truncate" safe>
            {excerpt(post.text, 60)}
          </a>
          <Icon name="chevron-right" />
        </nav>
        <h1>Correct post</h1>
      </header>
      <div class="page" style="--measure: 46rem">
        <Form class="stack" hx-post={`/api/posts/${post.id}/corrections`}>
          <Notice title={`Changes the post on ${network}`} text={post.correctionNote ?? ''} />
          <input type="hidden" name="version" value={String(post.version)} />
          <Field label="Text" id="text" hint={hintOf(post)}>
            <textarea
              class="input"
              id="text"
              name="text"
              rows="8"
              required
              aria-describedby="text-hint text-error"
              autofocus
              safe
            >
              {post.text}
            </textarea>
          </Field>
          <TextField
            label="Reason"
            name="reason"
            hint="Optional. Only people of your organization see it."
            maxlength={500}
            autocomplete="off"
          />
          <div class="actions">
            <UnsavedChanges />
            <ButtonLink label="Cancel" variant="ghost" href={postHref(post)} />
            <Button label={`Correct on ${network}`} variant="primary" type="submit" />
          </div>
        </Form>
      </div>
    </>
  )
}

const hintOf = ({ limits, characters }: PostDetails): string =>
  limits === null
    ? `${characters} characters now.`
    : `${characters} of ${limits.characters.toLocaleString('en')} characters now. Files and links of the post stay.`
