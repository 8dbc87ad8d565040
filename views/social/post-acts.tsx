import type { Post } from '#social/types'
import { Button } from '#views/ui/button.tsx'
import { Dialog } from '#views/ui/dialog.tsx'
import { Form } from '#views/ui/form.tsx'
import { MenuItem, MenuLink } from '#views/ui/menu.tsx'
import type { IconName } from '#views/ui/icon.tsx'
import { editHref, networkNames } from './line.ts'
import { stateOf } from './state.ts'

type Act = 'edit' | 'duplicate' | 'publish-now' | 'retry' | 'draft' | 'detach' | 'open' | 'delete' | 'withdraw'

const actsByState: Record<ReturnType<typeof stateOf>, Act[]> = {
  draft: ['edit', 'duplicate', 'publish-now', 'delete'],
  scheduled: ['edit', 'duplicate', 'publish-now', 'draft', 'delete'],
  sending: ['duplicate'],
  waiting: ['edit', 'duplicate', 'detach', 'draft', 'delete'],
  failed: ['edit', 'duplicate', 'retry', 'draft', 'delete'],
  published: ['open', 'duplicate', 'withdraw'],
}

/** What may be done with a post as it stands. */
export const actsOf = (post: Post, now: Date): Act[] =>
  actsByState[stateOf(post, now)].filter(
    (act) =>
      (act !== 'detach' || post.waitingFor?.reason === 'thread_predecessor') &&
      (act !== 'open' || (post.permalink !== null && post.withdrawnAt === null)) &&
      (act !== 'withdraw' || (post.platformPostId !== null && post.withdrawnAt === null)) &&
      (act !== 'retry' || post.failureCode !== 'outcome_unknown'),
  )

interface PostActsProps {
  post: Post
  acts: Act[]
  /** The menu that the acts stand in: it closes when one is taken. */
  menu: string
}

/** The acts of a post as items of a menu. */
export const PostActs = ({ post, acts, menu }: PostActsProps) => (
  <>
    {acts.map((act) => (
      <PostAct post={post} act={act} menu={menu} />
    ))}
  </>
)

const PostAct = ({ post, act, menu }: Omit<PostActsProps, 'acts'> & { act: Act }) => {
  const address = `/api/posts/${post.id}`
  const taken = { 'data-act': true, 'hx-swap': 'none', popovertarget: menu, popovertargetaction: 'hide' } as const
  switch (act) {
    case 'edit':
      return <MenuLink label="Edit" icon="pen-line" href={editHref(post)} />
    case 'open':
      return (
        <MenuLink label={`Open on ${networkNames[post.provider]}`} icon="arrow-up-right" href={post.permalink ?? ''} />
      )
    case 'draft':
      return <MenuItem label="Back to draft" icon="circle-dashed" hx-put={address} hx-vals={toDraft(post)} {...taken} />
    case 'delete':
      return (
        <>
          <hr />
          <MenuItem label="Delete" icon="trash-2" danger commandfor={deleteDialog(post)} command="show-modal" />
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
    default:
      return <MenuItem {...posted[act]} hx-post={`${address}/${act}`} {...taken} />
  }
}

const posted: Record<'duplicate' | 'publish-now' | 'retry' | 'detach', { label: string; icon: IconName }> = {
  duplicate: { label: 'Duplicate', icon: 'copy' },
  'publish-now': { label: 'Publish now', icon: 'send' },
  retry: { label: 'Retry', icon: 'rotate-cw' },
  detach: { label: 'Take out of the thread', icon: 'undo-2' },
}

/** The fields that take a post back. */
export const toDraft = ({ version }: Post): string => JSON.stringify({ status: 'draft', version })

const deleteDialog = ({ id }: Post): string => `delete-${id}`

interface DeleteDialogProps {
  post: Post
  /** In the list, which reloads itself; on the post's own page the response redirects. */
  inList?: boolean
}

/** Asks before a post is deleted. */
export const DeleteDialog = ({ post, inList }: DeleteDialogProps) => (
  <Dialog id={deleteDialog(post)} title="Delete this post?">
    <Form hx-delete={`/api/posts/${post.id}`} data-act={inList}>
      <div class="body">
        <p>
          This can’t be undone.
          {post.status === 'draft' ? '' : ' To keep the text, change it back to a draft instead.'}
        </p>
      </div>
      <footer>
        <Button label="Keep it" variant="ghost" commandfor={deleteDialog(post)} command="close" autofocus />
        <Button label="Delete post" variant="danger" type="submit" />
      </footer>
    </Form>
  </Dialog>
)

const withdrawDialog = ({ id }: Post): string => `withdraw-${id}`

/** Asks before a published post is deleted from its network. */
export const WithdrawDialog = ({ post }: { post: Post }) => (
  <Dialog id={withdrawDialog(post)} title={`Delete from ${networkNames[post.provider]}?`}>
    <Form hx-delete={`/api/posts/${post.id}/publication`} data-act>
      <div class="body">
        <p>It disappears there for good, with its replies and likes. Here it stays as what was published.</p>
      </div>
      <footer>
        <Button label="Keep it" variant="ghost" commandfor={withdrawDialog(post)} command="close" autofocus />
        <Button label="Delete it there" variant="danger" type="submit" />
      </footer>
    </Form>
  </Dialog>
)
