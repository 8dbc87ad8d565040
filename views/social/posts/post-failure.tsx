import type { ListedPost } from '#social/types'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { TextField, Form } from '#views/ui/form.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { accountName, accountUrl, networkNames, type Place, newTab } from './post-text.ts'
import { changing, toDraft } from './post-actions.tsx'
import { opensReschedule, RescheduleDialog } from './post-schedule.tsx'

interface PostFailureProps {
  post: ListedPost
  place: Place
}

export const PostFailure = (props: PostFailureProps) =>
  props.post.failureCode === 'outcome_unknown' ? <OutcomeUnknown {...props} /> : <NotPublished {...props} />

const NotPublished = ({ post, place }: PostFailureProps) => (
  <>
    <Notice tone="danger" role="status" title={headline(post)} text={`${reason(post)} Nothing was published.`}>
      {post.can.retry ? (
        <div class="actions">
          <MainAction post={post} />
          <Button label="Reschedule" icon="calendar-clock" size="sm" {...opensReschedule(post)} />
          <MoveToDrafts post={post} />
        </div>
      ) : null}
    </Notice>
    {post.can.retry ? <RescheduleDialog post={post} place={place} /> : null}
  </>
)

const MainAction = ({ post }: { post: ListedPost }) => {
  if (post.failureCode === 'network_withdrew_groups') return <OpenGroup post={post} />
  return post.failureCode === 'connection_missing' ? (
    <>
      <ButtonLink
        label="Connect an account"
        icon="plug"
        variant="primary"
        size="sm"
        href={`/workspace/accounts?brandId=${post.brandId}`}
      />
      <Retry post={post} label="Retry" />
    </>
  ) : (
    <Retry post={post} label="Retry" primary />
  )
}

/** Where the person can publish it by hand. */
const OpenGroup = ({ post }: { post: ListedPost }) => (
  <>
    <ButtonLink
      label="Open Group"
      icon="arrow-up-right"
      variant="primary"
      size="sm"
      href={`https://www.facebook.com/groups/${post.target?.groupId ?? ''}`}
      {...newTab}
    />
    <Retry post={post} label="Retry" />
  </>
)

const OutcomeUnknown = ({ post }: PostFailureProps) => {
  const url = accountUrl(post)
  const account = post.accountName ? accountName(post.provider, post.accountName) : 'the account'
  return (
    <>
      <Notice
        tone="danger"
        role="status"
        title="We couldn’t confirm that this was published"
        text={`${reason(post)} Check ${account} before you send it again.`}
      >
        {post.can.retry ? (
          <div class="actions">
            {url ? (
              <ButtonLink
                label="View account"
                icon="arrow-up-right"
                variant="primary"
                size="sm"
                href={url}
                {...newTab}
              />
            ) : null}
            <Button label="Mark as published" icon="check" size="sm" {...opens(publishedDialog(post))} />
            <Retry post={post} label="Send again" />
            <MoveToDrafts post={post} />
          </div>
        ) : null}
      </Notice>
      {post.can.retry ? <PublishedDialog post={post} /> : null}
    </>
  )
}

const Retry = ({ post, label, primary }: { post: ListedPost; label: string; primary?: boolean }) => (
  <Button
    label={label}
    icon="rotate-cw"
    size="sm"
    variant={primary ? 'primary' : undefined}
    hx-post={`/api/posts/${post.id}/retry`}
    {...changing(post, 'page')}
  />
)

const MoveToDrafts = ({ post }: { post: ListedPost }) => (
  <Button
    label="Move to drafts"
    size="sm"
    variant="ghost"
    hx-put={`/api/posts/${post.id}`}
    hx-vals={toDraft(post)}
    {...changing(post, 'page')}
  />
)

const PublishedDialog = ({ post }: { post: ListedPost }) => (
  <Dialog id={publishedDialog(post)} title="Mark as published">
    <Form hx-put={`/api/posts/${post.id}`} {...changing(post, 'page')}>
      <input type="hidden" name="status" value="published" />
      <div class="body">
        <TextField
          label="Link to the post"
          name="permalink"
          id="permalink"
          type="url"
          required
          hint={`The URL of the post on ${networkNames[post.provider]}`}
        />
      </div>
      <DialogButtons dialog={publishedDialog(post)} submit="Mark as published" />
    </Form>
  </Dialog>
)

const publishedDialog = ({ id }: ListedPost): string => `published-${id}`
const opens = (dialog: string) => ({ commandfor: dialog, command: 'show-modal' })

const headline = ({ failureCode, provider }: ListedPost): string =>
  failureCode === 'connection_missing'
    ? `No ${networkNames[provider]} account is connected`
    : `Couldn’t publish to ${networkNames[provider]}`

const reason = ({ failureMessage }: ListedPost): string => failureMessage ?? 'The network gave no reason.'
