import type { Post } from '#social/types'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Dialog } from '#views/ui/dialog.tsx'
import { TextField } from '#views/ui/field.tsx'
import { Form } from '#views/ui/form.tsx'
import { Notice } from '#views/ui/notice.tsx'
import { ZoneField } from '#views/ui/zone-field.tsx'
import { inAnHour, wallTimeOf } from './days.ts'
import { accountName, networkNames, type Place, type PostLine } from './line.ts'
import { toDraft } from './post-acts.tsx'

interface PostFailureProps {
  line: PostLine
  place: Place
  /** The account's own page on its network. */
  accountUrl: string | null
}

/** What went wrong, what stayed as it was, and the acts that help. */
export const PostFailure = (props: PostFailureProps) =>
  props.line.post.failureCode === 'outcome_unknown' ? <OutcomeUnknown {...props} /> : <NotPublished {...props} />

const NotPublished = ({ line: { post }, place }: PostFailureProps) => (
  <>
    <Notice tone="danger" role="status" title={headline(post)} text={`${reason(post)} Nothing was published.`}>
      {place.mayWrite ? (
        <div class="actions">
          <Helping post={post} />
          <Button label="Retry at another time" icon="calendar-clock" size="sm" {...opens(later(post))} />
          <BackToDraft post={post} />
        </div>
      ) : null}
    </Notice>
    {place.mayWrite ? <LaterDialog post={post} place={place} /> : null}
  </>
)

/** The act that helps first: what has to be mended, else another try. */
const Helping = ({ post }: { post: Post }) =>
  post.failureCode === 'connection_missing' ? (
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

const OutcomeUnknown = ({ line: { post, account }, place, accountUrl }: PostFailureProps) => {
  const network = networkNames[post.provider]
  return (
    <>
      <Notice
        tone="danger"
        role="status"
        title={`It is unknown whether ${network} published this`}
        text={`${reason(post)} Look at ${account ? accountName(post.provider, account) : 'the account'}: is the post there?`}
      >
        {place.mayWrite ? (
          <div class="actions">
            {accountUrl ? (
              <ButtonLink
                label="Open the account"
                icon="arrow-up-right"
                variant="primary"
                size="sm"
                href={accountUrl}
                target="_blank"
                rel="noopener"
              />
            ) : null}
            <Button label="It is there" icon="check" size="sm" {...opens(there(post))} />
            <Retry post={post} label="It isn’t: send again" />
            <BackToDraft post={post} />
          </div>
        ) : null}
      </Notice>
      {place.mayWrite ? <ThereDialog post={post} /> : null}
    </>
  )
}

const Retry = ({ post, label, primary }: { post: Post; label: string; primary?: boolean }) => (
  <Button
    label={label}
    icon="rotate-cw"
    size="sm"
    variant={primary ? 'primary' : undefined}
    hx-post={`/api/posts/${post.id}/retry`}
    hx-swap="none"
    data-act
  />
)

const BackToDraft = ({ post }: { post: Post }) => (
  <Button
    label="Back to draft"
    size="sm"
    variant="ghost"
    hx-put={`/api/posts/${post.id}`}
    hx-vals={toDraft(post)}
    hx-swap="none"
    data-act
  />
)

const LaterDialog = ({ post, place }: { post: Post; place: Place }) => {
  const zone = post.timeZone ?? place.zone
  const { date, time } = wallTimeOf(inAnHour(place.now), zone)
  return (
    <Dialog id={later(post)} title="Retry at another time">
      <Form hx-put={`/api/posts/${post.id}`} data-act>
        <input type="hidden" name="status" value="scheduled" />
        <div class="body">
          <div class="fields">
            <TextField label="Date" name="scheduledAt.date" id="later-date" type="date" value={date} required />
            <TextField label="Time" name="scheduledAt.time" id="later-time" type="time" value={time} required />
          </div>
          <ZoneField label="Time zone" name="timeZone" id="later-zone" value={zone} />
        </div>
        <footer>
          <Button label="Cancel" variant="ghost" commandfor={later(post)} command="close" />
          <Button label="Schedule" variant="primary" type="submit" />
        </footer>
      </Form>
    </Dialog>
  )
}

const ThereDialog = ({ post }: { post: Post }) => (
  <Dialog id={there(post)} title="It is there">
    <Form hx-put={`/api/posts/${post.id}`} data-act>
      <input type="hidden" name="status" value="published" />
      <div class="body">
        <TextField
          label="Link to the post"
          name="permalink"
          id="permalink"
          type="url"
          required
          hint={`The post’s own address on ${networkNames[post.provider]}`}
        />
      </div>
      <footer>
        <Button label="Cancel" variant="ghost" commandfor={there(post)} command="close" />
        <Button label="Mark as published" variant="primary" type="submit" />
      </footer>
    </Form>
  </Dialog>
)

const later = ({ id }: Post): string => `later-${id}`
const there = ({ id }: Post): string => `there-${id}`
const opens = (dialog: string) => ({ commandfor: dialog, command: 'show-modal' })

const headline = ({ failureCode, provider }: Post): string =>
  failureCode === 'connection_missing'
    ? `No ${networkNames[provider]} account is connected`
    : `${networkNames[provider]} didn’t publish this post`

const reason = ({ failureMessage }: Post): string => failureMessage ?? 'No reason was given.'
