import type { ListedPost, ReviewAbilities } from '#social/types'
import { Button } from '#views/ui/button.tsx'
import { Form, TextField } from '#views/ui/form.tsx'

interface DecideFormProps {
  /** Of one submission or thread: they get the same decision. */
  posts: readonly Pick<ListedPost, 'id' | 'version'>[]
  can: ReviewAbilities
}

export const DecideForm = ({ posts, can }: DecideFormProps) => {
  const [first, ...others] = posts
  if (!first || !can.decide) return <></>
  return (
    <Form class="decide" hx-post={`/api/posts/${first.id}/reviews`} data-refresh>
      <kept-input hidden />
      <input type="hidden" name="version" value={String(first.version)} />
      {others.map(({ id, version }, at) => (
        <>
          <input type="hidden" name={`also[${at}].id`} value={id} />
          <input type="hidden" name={`also[${at}].version`} value={String(version)} />
        </>
      ))}
      <div class="row" data-wrap>
        <label class="grow">
          <span class="visually-hidden">Why (optional)</span>
          <input
            class="input"
            name="comment"
            id={`why-${first.id}`}
            placeholder="Why (optional)"
            maxlength={5000}
            autocomplete="off"
          />
        </label>
        <span class="actions">
          <Button label="Request changes" type="submit" name="decision" value="request_changes" />
          <Button label="Approve" icon="check" variant="primary" type="submit" name="decision" value="approve" />
        </span>
      </div>
      {can.confirmAlone ? (
        <>
          <TextField
            label="Code from your authenticator app"
            name="code"
            id={`code-${first.id}`}
            hint="You wrote or changed this post. You can approve it when no one else in the organization can."
            autocomplete="one-time-code"
            inputmode="numeric"
          />
          <small class="muted">
            No authenticator app yet?{' '}
            <a class="link" href="/settings/security">
              Set one up
            </a>
          </small>
        </>
      ) : null}
    </Form>
  )
}
