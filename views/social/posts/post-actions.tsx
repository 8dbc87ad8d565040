import type { ListedPost, Post } from '#social/types'
import { Dialog, DialogButtons, MenuItem, MenuLink } from '#views/ui/overlays.tsx'
import { Form } from '#views/ui/form.tsx'
import type { IconName } from '#views/ui/icon.tsx'
import { copyHref } from './composer-origin.tsx'
import { editHref, networkNames, newTab } from './post-text.ts'

type Action =
  | 'edit'
  | 'duplicate'
  | 'copy'
  | 'publish-now'
  | 'retry'
  | 'draft'
  | 'unschedule'
  | 'detach'
  | 'open'
  | 'delete'
  | 'withdraw'

export function actionsOf(post: ListedPost): Action[] {
  const { can, status } = post
  const offered: Record<Action, boolean> = {
    open: post.permalink !== null && post.withdrawnAt === null,
    edit: can.update,
    duplicate: can.duplicate,
    copy: can.duplicate,
    'publish-now': can.publishNow,
    detach: can.detach,
    // Of a post that may have been published, its notice offers this with a warning.
    retry: can.retry && post.failureCode !== 'outcome_unknown',
    draft: can.update && status === 'failed',
    unschedule: can.update && status === 'scheduled',
    delete: can.delete,
    withdraw: can.withdraw,
  }
  return order.filter((action) => offered[action])
}

const order: Action[] = [
  ...(['open', 'edit', 'duplicate', 'copy', 'publish-now', 'detach'] as const),
  ...(['retry', 'draft', 'unschedule', 'delete', 'withdraw'] as const),
]

export type ShownAs = 'row' | 'page'

/** `data-refresh` also refreshes the list or page around it. */
export const changing = ({ id }: Post, shownAs: ShownAs) =>
  ({ 'hx-target': shownAs === 'row' ? `#post-${id}` : '#post', 'hx-swap': 'outerMorph', 'data-refresh': true }) as const

interface PostActionsProps {
  post: ListedPost
  actions: Action[]
  menu: string
  shownAs: ShownAs
}

export const PostActions = ({ actions, ...props }: PostActionsProps) => (
  <>
    {actions.map((action) => (
      <PostAction action={action} {...props} />
    ))}
  </>
)

const PostAction = ({ post, action, menu, shownAs }: Omit<PostActionsProps, 'actions'> & { action: Action }) => {
  const address = `/api/posts/${post.id}`
  const chosen = { ...changing(post, shownAs), popovertarget: menu, popovertargetaction: 'hide' } as const
  switch (action) {
    case 'edit':
      return <MenuLink label="Edit" icon="pen-line" href={editHref(post)} />
    case 'copy':
      return <MenuLink label="Copy to other accounts" icon="copy" href={copyHref(post.id, post.brandId)} />
    case 'open':
      return (
        <MenuLink
          label={`Open on ${networkNames[post.provider]}`}
          icon="arrow-up-right"
          href={post.permalink ?? ''}
          {...newTab}
        />
      )
    case 'draft':
      return (
        <MenuItem label="Move to drafts" icon="circle-dashed" hx-put={address} hx-vals={toDraft(post)} {...chosen} />
      )
    case 'delete':
      return (
        <>
          <hr />
          <MenuItem
            label="Delete"
            icon="trash-2"
            danger
            hx-delete={address}
            {...chosen}
            // On the page of the post the response leads to the list.
            hx-swap={shownAs === 'row' ? 'delete' : 'none'}
          />
        </>
      )
    case 'withdraw':
      return (
        <>
          <hr />
          <MenuItem
            label={`Delete from ${networkNames[post.provider]}`}
            icon="trash-2"
            danger
            commandfor={withdrawDialog(post)}
            command="show-modal"
          />
        </>
      )
    case 'publish-now':
      return (
        <MenuItem {...posted[action]} hx-post={`${address}/${action}`} hx-confirm={publishQuestion(post)} {...chosen} />
      )
    default:
      return <MenuItem {...posted[action]} hx-post={`${address}/${action}`} {...chosen} />
  }
}

/** Before a click sends a post out at once, which can't be undone. */
export const publishQuestion = ({ provider }: Post): string =>
  `Publish this post to ${networkNames[provider]} now? This can’t be undone.`

const posted: Record<
  'duplicate' | 'publish-now' | 'retry' | 'detach' | 'unschedule',
  { label: string; icon: IconName }
> = {
  duplicate: { label: 'Duplicate', icon: 'copy' },
  'publish-now': { label: 'Publish now', icon: 'send' },
  retry: { label: 'Retry', icon: 'rotate-cw' },
  unschedule: { label: 'Unschedule', icon: 'circle-dashed' },
  detach: { label: 'Remove from thread', icon: 'undo-2' },
}

export const toDraft = ({ version }: Post): string => JSON.stringify({ status: 'draft', version })

export const rowMenu = ({ id }: Post): string => `menu-${id}`
export const rowDialogs = ({ id }: Post): string => `dialogs-${id}`

/** The menu of a row, and its dialogs next to it. */
export const PostMenu = ({ post }: { post: ListedPost }) => (
  <>
    <PostActions post={post} actions={actionsOf(post)} menu={rowMenu(post)} shownAs="row" />
    {post.can.withdraw ? (
      <hx-partial hx-target={`#${rowDialogs(post)}`} hx-swap="innerHTML">
        <PostDialogs post={post} shownAs="row" />
      </hx-partial>
    ) : null}
  </>
)

interface PostDialogsProps {
  post: ListedPost
  shownAs: ShownAs
}

export const PostDialogs = ({ post, shownAs }: PostDialogsProps) => (
  <>{post.can.withdraw ? <WithdrawDialog post={post} shownAs={shownAs} /> : null}</>
)

const withdrawDialog = ({ id }: Post): string => `withdraw-${id}`

const WithdrawDialog = ({ post, shownAs }: PostDialogsProps) => {
  const network = networkNames[post.provider]
  return (
    <Dialog id={withdrawDialog(post)} title={`Delete from ${network}?`}>
      <Form hx-delete={`/api/posts/${post.id}/publication`} {...changing(post, shownAs)}>
        <div class="body">
          <p safe>{`The post is deleted from ${network} with its replies and likes. You keep a copy here.`}</p>
        </div>
        <DialogButtons dialog={withdrawDialog(post)} submit={`Delete from ${network}`} danger focusCancel />
      </Form>
    </Dialog>
  )
}
