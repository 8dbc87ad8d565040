import { and, desc, eq, inArray, isNull } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import type { ActionButton } from '#lib/schema.ts'
import { commentFailedKind } from '../notification-kinds.ts'
import { firstComments, posts } from '../schema.ts'
import { excerptOf, maxRead } from './failed-post.ts'
import type { Subject, WantedAction } from './subject.ts'

/** Comments that get an action each. */
const maxSingle = 10

type FailedComment = Awaited<ReturnType<typeof listFailedComments>>[number]

const listFailedComments = (tx: Database, { brandId, provider }: Subject) =>
  tx
    .select({
      id: posts.id,
      text: posts.text,
      state: firstComments.state,
      code: firstComments.failureCode,
      message: firstComments.failureMessage,
      retryable: firstComments.failureRetryable,
    })
    .from(firstComments)
    .innerJoin(posts, eq(posts.id, firstComments.id))
    .where(
      and(
        eq(firstComments.brandId, brandId),
        eq(firstComments.provider, provider),
        inArray(firstComments.state, ['failed', 'unknown']),
        isNull(posts.withdrawnAt),
      ),
    )
    .orderBy(desc(firstComments.id))
    .limit(maxRead)

/** Of published posts whose first comment failed or may have failed. Those of a signed-out account are part of its action. */
export async function listCommentActions(
  tx: Database,
  subject: Subject,
  { isSignedOut }: { isSignedOut: boolean },
): Promise<WantedAction[]> {
  const failed = await listFailedComments(tx, subject)
  const open = failed.filter(({ code }) => code !== 'signed_out' || !isSignedOut)
  return open.length > maxSingle ? [actionOfMany(subject, open)] : open.map((comment) => actionOf(subject, comment))
}

function actionOf({ brandName, network }: Subject, comment: FailedComment): WantedAction {
  const { id, state, message } = comment
  const isUnknown = state === 'unknown'
  return {
    kind: commentFailedKind,
    key: `comment:${id}`,
    title: isUnknown ? `Did this first comment reach ${network}?` : `A first comment on ${network} failed`,
    reason: `${excerptOf(comment)} of ${brandName} is published. ${message ?? ''}`.trim(),
    href: `/workspace/posts/${id}`,
    actions: buttonsOf(comment, network),
  }
}

function buttonsOf({ id, state, retryable }: FailedComment, network: string): ActionButton[] {
  const path = `/api/posts/${id}/first-comment`
  const see: ActionButton = { label: 'See the post', method: 'GET', href: `/workspace/posts/${id}` }
  const confirm: ActionButton = { label: 'Mark as written', method: 'POST', href: `${path}/confirm` }
  if (state === 'unknown')
    return [
      { ...confirm, style: 'primary' },
      {
        label: 'Send again',
        method: 'POST',
        href: `${path}/retry`,
        confirm: `Look at the post on ${network} first. If the comment is there, it is written twice.`,
      },
      see,
    ]
  const retry: ActionButton = { label: 'Retry', method: 'POST', href: `${path}/retry` }
  return retryable ? [{ ...retry, style: 'primary' }, confirm, see] : [{ ...see, style: 'primary' }, confirm, retry]
}

function actionOfMany({ brandId, brandName, network }: Subject, open: readonly FailedComment[]): WantedAction {
  const href = `/workspace/posts?brandId=${brandId}&status=published`
  const count = open.length === maxRead ? `More than ${maxRead - 1}` : open.length
  const [newest] = open
  return {
    kind: commentFailedKind,
    key: 'comments',
    title: `${count} first comments on ${network} failed`,
    reason: `Their posts of ${brandName} are published. ${newest?.message ?? ''}`.trim(),
    href,
    actions: [{ label: 'See the posts', method: 'GET', href, style: 'primary' }],
  }
}
