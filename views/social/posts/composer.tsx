import { assetUrl } from '#lib/assets.ts'
import { counted } from '#lib/text.ts'
import type { ListedPost, ListedUnsavedPost, Media, PostDetails, PostTarget, UnsavedPost } from '#social/types'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { TextField, Form } from '#views/ui/form.tsx'
import { Status } from '#views/ui/marks.tsx'
import { MenuItem, RowMenu } from '#views/ui/overlays.tsx'
import { connectDialogs } from '../accounts/connect-menu.tsx'
import { Unconnected, type UnconnectedProps } from '../accounts/unconnected.tsx'
import { FirstSteps, type FirstStepsProps } from '../first-steps.tsx'
import { GeneratePlace } from '../images/generate-dialog.tsx'
import { Conflict } from './composer-conflict.tsx'
import { AlsoField } from './composer-also.tsx'
import { CommentField } from './composer-comment.tsx'
import { LinkPreviewField } from './composer-link.tsx'
import { ComposerOrigin, type Origin } from './composer-origin.tsx'
import { Counts, Editor, ThreadLimits } from './composer-editor.tsx'
import { CropImage, Images } from './composer-media.tsx'
import { HashtagSuggestion, type SuggestedHashtags } from './composer-hashtags.tsx'
import { ComposerPeople, NewerVersionPlace } from './composer-people.tsx'
import { ComposerPreview } from './composer-preview.tsx'
import { type Account, accountOf, accountsOf, Targets } from './composer-targets.tsx'
import { timeOf, When } from './composer-when.tsx'
import { YouTubeFields } from './composer-youtube.tsx'
import { postHref, type Place } from './post-text.ts'
import { postsHref } from './posts-filters.tsx'
import { UnsavedPosts } from './unsaved-posts.tsx'

export interface ComposerProps {
  targets: PostTarget[]
  post: PostDetails | null
  images: Media[]
  place: Place
  /** Suggested in new posts. */
  hashtags?: SuggestedHashtags
  /** What it lacks before it can be scheduled; null where that is nothing. */
  approval: { needed: number; inReview: boolean } | null
  /** The brand's next free queue slot. */
  nextSlot: string | null
  personId: string
  /** Of this page, among those that edit the post. */
  tabId: string
  /** Under which the input of this form is stored until it is saved. */
  unsavedId: string
  /** What the person typed into this form earlier. */
  unsaved: UnsavedPost | null
  /** What they typed into other forms of the brand. */
  others: ListedUnsavedPost[]
  canConnect: boolean
  /** Connected on its network's consent page, to which the composer led. */
  account?: string
  /** The local time to begin with, or only its day. */
  at?: string
  /** The consent page led back without an account. */
  unconnected: UnconnectedProps | null
  /** The post that a new one is a copy of. */
  origin?: Origin
  /** Created together with the edited post, or in its thread. */
  siblings?: ListedPost[]
  /** While the organization has no post. */
  steps: FirstStepsProps | null
}

export const Composer = (props: ComposerProps) => (
  <>
    <Head {...props} />
    <div id="first-steps">{props.steps ? <FirstSteps {...props.steps} /> : null}</div>
    {props.unconnected ? (
      <div class="page" style="--measure: 46rem">
        <Unconnected {...props.unconnected} />
      </div>
    ) : null}
    <ComposerOrigin {...props} />
    {props.others.length > 0 ? (
      <section class="page" style="--measure: 46rem" aria-labelledby="unsaved-title">
        <h2 id="unsaved-title">Unsaved posts</h2>
        <UnsavedPosts items={props.others} />
      </section>
    ) : null}
    <Body {...props} />
    {props.post ? <ReviewPlace post={props.post} /> : null}
    <div id={connectDialogs} />
    <GeneratePlace brandId={props.place.brand.id} />
  </>
)

/** Loaded once the page is shown. */
const ReviewPlace = ({ post }: { post: PostDetails }) => (
  <div class="page" style="--measure: 46rem">
    <div hx-get={`/api/posts/${post.id}/reviews`} hx-trigger="load" hx-swap="outerHTML" />
  </div>
)

const Head = ({ place: { brand }, post, tabId }: ComposerProps) => (
  <header class="page-header">
    <h1>{post ? 'Edit post' : 'New post'}</h1>
    {post ? <Status state={post.status} /> : null}
    <output class="muted small" id="saved-state" />
    <div class="actions">
      {post ? <ComposerPeople postId={post.id} brandId={brand.id} tabId={tabId} /> : null}
      {post?.status === 'scheduled' ? (
        <RowMenu id="composer-menu">
          <MenuItem
            label="Unschedule"
            icon="circle-dashed"
            hx-post={`/api/posts/${post.id}/unschedule`}
            hx-swap="none"
            popovertarget="composer-menu"
            popovertargetaction="hide"
          />
        </RowMenu>
      ) : null}
      <ButtonLink
        label="Close"
        icon="x"
        iconOnly
        variant="ghost"
        href={post ? postHref(post) : postsHref({ brandId: brand.id })}
      />
    </div>
  </header>
)

const Body = (props: ComposerProps) => {
  const { targets, post, images, place, nextSlot, canConnect, approval } = props
  const accounts = post ? [accountOf(post)] : accountsOf(targets)
  const { brand } = place
  const gated = approval && gatedLabel(props)
  const onlyDraft = post ? post.status === 'draft' && !post.scheduledAt && !gated : accounts.length === 0
  return (
    <post-composer
      class="composer"
      data-completion-styles={assetUrl('css/screens/completions.css')}
      {...stateOf(props)}
    >
      {/* Without the browser's own restoring of earlier input: an older text would replace a newer one. */}
      <Form {...submitTo(post)} novalidate autocomplete="off">
        {/* A disabled default button: Enter in a field submits nothing. */}
        <button type="submit" disabled hidden />
        <HiddenFields {...props} />
        {post ? <NewerVersionPlace /> : null}
        <Targets accounts={accounts} brand={brand} isFixed={post !== null} canConnect={canConnect} />
        <div class="stack" style="--gap: .75rem">
          <Editor brand={brand} text={post?.text ?? ''} canAdd={post === null} isSplit={isSplit(props, accounts)} />
          <Counts accounts={accounts} />
          {post ? null : <ThreadLimits />}
        </div>
        <Images brandId={brand.id} images={images} />
        <LinkPreviewField accounts={accounts} post={post} />
        <CommentField accounts={accounts} post={post} />
        {props.hashtags ? <HashtagSuggestion accounts={accounts} brand={props.hashtags} /> : null}
        <YouTubeFields post={post} />
        <div class="fields">
          <TextField
            label="Tags"
            name="tags"
            value={post?.tags.join(', ')}
            hint="Internal only. Separate with commas."
            autocomplete="off"
          />
          <TextField label="Campaign" name="campaign" value={post?.campaign ?? ''} autocomplete="off" />
        </div>
        <When post={post} place={place} nextSlot={nextSlot} at={props.at} isGated={approval !== null} />
        <AlsoField post={post} siblings={props.siblings} />
        <div class="dock">
          <Button label="Discard" variant="ghost" data-discard hidden />
          {approval ? (
            <small class="muted wide-only" safe>
              {`${brand.name} requires ${counted(approval.needed, 'approval')}`}
            </small>
          ) : null}
          <span class="push" />
          {post?.status === 'scheduled' || gated === 'Save' ? null : (
            <Button label="Save draft" variant="ghost" type="submit" data-draft hidden={onlyDraft} />
          )}
          <Button
            label={onlyDraft ? 'Save draft' : (gated ?? (post?.status === 'scheduled' ? 'Save' : 'Schedule'))}
            variant="primary"
            type="submit"
            aria-keyshortcuts="Control+Enter Meta+Enter"
            data-submit
          />
        </div>
      </Form>
      <ComposerPreview accounts={accounts} brand={brand} post={post} />
      <CropImage />
      {post ? <Conflict /> : null}
    </post-composer>
  )
}

const isSplit = ({ unsaved }: ComposerProps, accounts: Account[]): boolean => {
  const { ownTexts = [], connectionIds = [] } = unsaved?.content ?? {}
  const chosen = accounts.filter(({ value }) => connectionIds.includes(value))
  return ownTexts.length > 0 || new Set(chosen.map(({ provider }) => provider)).size > 1
}

/** What `post-composer` needs to store the input. */
const stateOf = (props: ComposerProps) => {
  const { post, place, personId, unsavedId, unsaved, account } = props
  return {
    'data-now': place.now.toISOString(),
    'data-scheduled': post?.status === 'scheduled',
    'data-timed': post !== null && timeOf(post) !== null,
    'data-proposed': props.at !== undefined,
    'data-gated': props.approval ? gatedLabel(props) : undefined,
    'data-person': personId,
    'data-brand': place.brand.id,
    'data-post': post?.id,
    'data-unsaved-id': unsavedId,
    'data-connected': account,
    'data-unsaved': unsaved ? JSON.stringify(unsaved) : undefined,
  }
}

/** Without its approvals a post is reviewed, not scheduled. */
const gatedLabel = ({ post, approval }: ComposerProps): string =>
  post?.status === 'scheduled' || approval?.inReview ? 'Save' : 'Request review'

const submitTo = (post: PostDetails | null) =>
  post ? { 'hx-put': `/api/posts/${post.id}` } : { 'hx-post': '/api/posts' }

const HiddenFields = ({ place: { brand }, post, unsavedId }: ComposerProps) => (
  <>
    <input type="hidden" name="unsavedId" value={unsavedId} />
    {post ? (
      <input type="hidden" name="version" value={String(post.version)} />
    ) : (
      <input type="hidden" name="brandId" value={brand.id} />
    )}
  </>
)
