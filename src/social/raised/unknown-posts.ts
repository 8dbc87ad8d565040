import { unknownPostKind } from '../notification-kinds.ts'
import { excerptOf, type FailedPost } from './failed-post.ts'
import { failedPostsOf, type Subject, type WantedAction } from './subject.ts'

/** The connection was cut before the network answered: people have to look (SOC-24). */
export function unknownActionOf({ brandName, network }: Subject, post: FailedPost): WantedAction {
  const { id, message } = post
  return {
    kind: unknownPostKind,
    key: `unknown:${id}`,
    title: `Did this post reach ${network}?`,
    reason: `${excerptOf(post)} of ${brandName} may be published. ${message ?? ''} Sending it again could post it twice.`,
    href: `/workspace/posts/${id}`,
    actions: [
      {
        label: 'Mark as published',
        method: 'PUT',
        href: `/api/posts/${id}`,
        body: { status: 'published' },
        fields: [{ name: 'permalink', label: `URL of the post on ${network}`, type: 'text' }],
        style: 'primary',
      },
      {
        label: 'Send again',
        method: 'POST',
        href: `/api/posts/${id}/retry`,
        confirm: `Check the account on ${network} first. If the post is there, it is published twice.`,
      },
      { label: 'See the post', method: 'GET', href: `/workspace/posts/${id}` },
    ],
  }
}

export function unknownActionOfMany(subject: Subject, same: readonly FailedPost[]): WantedAction {
  const { brandName, network } = subject
  const href = failedPostsOf(subject)
  return {
    kind: unknownPostKind,
    key: 'unknown',
    title: `Did ${same.length} posts reach ${network}?`,
    reason: `The connection was lost while posts of ${brandName} were sent. They may be published. Look at the account, then at each post.`,
    href,
    actions: [{ label: 'See the posts', method: 'GET', href, style: 'primary' }],
  }
}
