import type { Media, PostDetails, PostTarget } from '#social/types'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { TextField, Form } from '#views/ui/form.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { Status } from '#views/ui/marks.tsx'
import { Counts, Editor } from './composer-editor.tsx'
import { Images } from './composer-media.tsx'
import { ComposerPreview } from './composer-preview.tsx'
import { accountOf, accountsOf, Targets } from './composer-targets.tsx'
import { When } from './composer-when.tsx'
import { postHref, type Place } from './post-text.ts'
import { postsHref } from './posts-filter.ts'

export interface ComposerProps {
  targets: PostTarget[]
  post: PostDetails | null
  images: Media[]
  place: Place
}

export const Composer = (props: ComposerProps) => (
  <>
    <Head {...props} />
    {props.targets.length === 0 && !props.post ? <NoAccount place={props.place} /> : <Body {...props} />}
  </>
)

const Head = ({ place: { brand }, post }: ComposerProps) => (
  <header class="page-header">
    <h1>{post ? 'Edit post' : 'New post'}</h1>
    {post ? <Status state={post.status} /> : null}
    <div class="actions">
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

const NoAccount = ({ place: { brand } }: Pick<ComposerProps, 'place'>) => (
  <div class="page" style="--measure: 46rem">
    <Notice
      tone="info"
      title="Connect an account to start publishing"
      text="No account yet? Try the sandbox, a test network."
    >
      <div class="actions">
        <ButtonLink
          label="Connect an account"
          icon="plug"
          variant="primary"
          size="sm"
          href={`/workspace/accounts?brandId=${brand.id}`}
        />
      </div>
    </Notice>
  </div>
)

const Body = ({ targets, post, images, place }: ComposerProps) => {
  const accounts = post ? [accountOf(post)] : accountsOf(targets)
  const { brand } = place
  return (
    <post-composer class="composer" data-now={place.now.toISOString()} data-scheduled={post?.status === 'scheduled'}>
      <Form {...submitTo(post)}>
        <HiddenFields brand={brand} post={post} />
        <Targets accounts={accounts} brand={brand} isFixed={post !== null} />
        <div class="stack" style="--gap: .75rem">
          <Editor text={post?.text ?? ''} canAdd={post === null} />
          <Counts accounts={accounts} />
        </div>
        <Images brandId={brand.id} images={images} />
        <TextField
          label="Tags"
          name="tags"
          value={post?.tags.join(', ')}
          hint="Internal only. Separate with commas."
          autocomplete="off"
        />
        <When post={post} place={place} />
        <div class="dock">
          <span class="push" />
          <Button label="Save draft" variant="ghost" type="submit" data-draft />
          <Button
            label={post?.status === 'scheduled' ? 'Save' : 'Schedule'}
            variant="primary"
            type="submit"
            data-submit
          />
        </div>
      </Form>
      <ComposerPreview accounts={accounts} brand={brand} post={post} />
    </post-composer>
  )
}

const submitTo = (post: PostDetails | null) =>
  post ? { 'hx-put': `/api/posts/${post.id}` } : { 'hx-post': '/api/posts' }

const HiddenFields = ({ brand, post }: { brand: Place['brand']; post: PostDetails | null }) =>
  post ? (
    <input type="hidden" name="version" value={String(post.version)} />
  ) : (
    <input type="hidden" name="brandId" value={brand.id} />
  )
