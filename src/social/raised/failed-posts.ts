import type { Database } from '#lib/db.ts'
import type { ActionButton } from '#lib/schema.ts'
import { postFailedKind } from '../notification-kinds.ts'
import { excerptOf, listFailed, maxRead, type FailedPost } from './failed-post.ts'
import { failedPostsOf, type Subject, type WantedAction } from './subject.ts'
import { unknownActionOf, unknownActionOfMany } from './unknown-posts.ts'

/** Posts that one button changes, and unknown ones that get an action each. */
const limits = { retry: 50, unknown: 10 }

/** One action for each cause; posts of a signed-out account are part of that account’s action while it is signed out. */
export async function listPostActions(
  tx: Database,
  subject: Subject,
  { isSignedOut }: { isSignedOut: boolean },
): Promise<WantedAction[]> {
  const failed = await listFailed(tx, subject)
  const byCode = Map.groupBy(failed, ({ code }) => code ?? 'unknown')
  return [...byCode].flatMap(([code, same]) => {
    if (code === 'outcome_unknown')
      return same.length > limits.unknown
        ? [unknownActionOfMany(subject, same)]
        : same.map((post) => unknownActionOf(subject, post))
    return code === 'signed_out' && isSignedOut ? [] : [failedActionOf(subject, code, same)]
  })
}

function failedActionOf(subject: Subject, code: string, same: readonly FailedPost[]): WantedAction {
  const { brandName, network } = subject
  const [newest] = same
  if (!newest) throw new Error('A cause without posts')
  const isOne = same.length === 1
  const count = same.length === maxRead ? `More than ${maxRead - 1}` : same.length
  return {
    kind: postFailedKind,
    key: `failed:${code}`,
    title: isOne ? `A post to ${network} failed` : `${count} posts to ${network} failed`,
    reason: [
      isOne
        ? `${excerptOf(newest)} of ${brandName} wasn’t published.`
        : `${excerptOf(newest)} and others of ${brandName}.`,
      newest.message ?? '',
    ]
      .join(' ')
      .trim(),
    href: isOne ? `/workspace/posts/${newest.id}` : failedPostsOf(subject),
    actions: isOne ? buttonsOfOne(newest) : buttonsOfMany(subject, same),
  }
}

function buttonsOfOne({ id, retryable }: FailedPost): ActionButton[] {
  const retry: ActionButton = { label: 'Retry', method: 'POST', href: `/api/posts/${id}/retry` }
  const edit: ActionButton = { label: 'Edit', method: 'GET', href: `/workspace/posts/${id}/edit` }
  const [first, second] = retryable ? [retry, edit] : [edit, retry]
  return [
    { ...first, style: 'primary' },
    second,
    { label: 'Move to drafts', method: 'PUT', href: `/api/posts/${id}`, body: { status: 'draft' } },
    { label: 'See the post', method: 'GET', href: `/workspace/posts/${id}` },
  ]
}

function buttonsOfMany(subject: Subject, same: readonly FailedPost[]): ActionButton[] {
  const ids = same.slice(0, limits.retry).map(({ id }) => id)
  return [
    {
      label: ids.length === same.length ? 'Retry all' : `Retry ${ids.length}`,
      method: 'POST',
      href: '/api/posts/bulk',
      body: { action: 'publish-now', ids },
      style: 'primary',
    },
    { label: 'See the posts', method: 'GET', href: failedPostsOf(subject) },
  ]
}
