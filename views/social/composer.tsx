import type { Post } from '#social/types'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { TextField } from '#views/ui/field.tsx'
import { Form } from '#views/ui/form.tsx'
import { Notice } from '#views/ui/notice.tsx'
import { Status } from '#views/ui/status.tsx'
import { Counts, Editor } from './composer-editor.tsx'
import { type ComposerImage, Images } from './composer-media.tsx'
import { ComposerPreview } from './composer-preview.tsx'
import { type Account, Targets } from './composer-targets.tsx'
import { When } from './composer-when.tsx'
import { postHref } from './line.ts'
import { postsHref } from './posts-filter.ts'

export interface ComposerProps {
  brand: { id: string; name: string }
  /** Accounts that can be published to; of an edited post only its own. */
  accounts: Account[]
  /** The post that is edited; null for a new one. */
  post: Post | null
  images: ComposerImage[]
  /** The schedule proposed: a wall time in a zone. */
  date: string
  time: string
  zone: string
  now: Date
}

/** Writes a post or a thread, to one account or to several, for a time, for now or for later. */
export const Composer = (props: ComposerProps) => (
  <>
    <Head {...props} />
    {props.accounts.length === 0 && !props.post ? <NoAccount brand={props.brand} /> : <Body {...props} />}
  </>
)

const Head = ({ brand, post }: ComposerProps) => (
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

const NoAccount = ({ brand }: Pick<ComposerProps, 'brand'>) => (
  <div class="page" style="--measure: 46rem">
    <Notice
      tone="info"
      title="Connect an account first"
      text="A post goes to an account of a network. Without your own yet, connect the sandbox: a practice network on this server."
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

const Body = (props: ComposerProps) => (
  <post-composer
    class="composer"
    data-now={props.now.toISOString()}
    data-scheduled={props.post?.status === 'scheduled'}
  >
    <Form {...sentTo(props)}>
      <Kept {...props} />
      <Targets accounts={props.accounts} brand={props.brand} fixed={props.post !== null} />
      <div class="stack" style="--gap: .75rem">
        <Editor text={props.post?.text ?? ''} parts={props.post === null} />
        <Counts accounts={props.accounts} />
      </div>
      <Images brandId={props.brand.id} images={props.images} />
      <TextField
        label="Tags"
        name="tags"
        value={props.post?.tags.join(', ')}
        hint="Separated by commas; for you, not for the network"
        autocomplete="off"
      />
      <When {...props} />
      <div class="dock">
        <span class="push" />
        <Button label="Save draft" variant="ghost" type="submit" data-draft />
        <Button
          label={props.post?.status === 'scheduled' ? 'Save' : 'Schedule'}
          variant="primary"
          type="submit"
          data-submit
        />
      </div>
    </Form>
    <ComposerPreview {...props} />
  </post-composer>
)

const sentTo = ({ post }: ComposerProps) => (post ? { 'hx-put': `/api/posts/${post.id}` } : { 'hx-post': '/api/posts' })

/** What the form carries unseen. */
const Kept = ({ brand, post }: ComposerProps) =>
  post ? (
    <input type="hidden" name="version" value={String(post.version)} />
  ) : (
    <input type="hidden" name="brandId" value={brand.id} />
  )
