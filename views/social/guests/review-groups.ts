import type { GuestPost } from '#social/types'
import { excerpt, networkNames } from '#views/social/posts/post-text.ts'
import { counted } from '#lib/text.ts'

/** What is reviewed at once: a submission to several networks, a thread, or one post. */
export interface ReviewGroup {
  id: string
  title: string
  first: GuestPost
  posts: GuestPost[]
  state: 'waiting' | 'changed' | 'approved' | 'changes_requested' | 'published'
}

export function groupPosts(posts: readonly GuestPost[]): ReviewGroup[] {
  const groups = Map.groupBy(posts, ({ id, groupId, threadId }) => groupId ?? threadId ?? id)
  return [...groups.values()].flatMap((unsorted) => {
    const together = unsorted.toSorted((one, other) => one.position - other.position)
    const [first] = together
    return first
      ? [
          {
            id: first.id,
            title: excerpt(first.text, 60) || 'Post without text',
            first,
            posts: together,
            state: stateOf(together),
          },
        ]
      : []
  })
}

export const isDone = ({ state }: ReviewGroup): boolean => state !== 'waiting' && state !== 'changed'

export const openPosts = ({ posts }: ReviewGroup): GuestPost[] => posts.filter(({ status }) => status !== 'published')

export const networksOf = ({ posts }: ReviewGroup): string => {
  const names = [...new Set(posts.map(({ provider }) => networkNames[provider]))]
  return names.length === 1 ? (names[0] ?? '') : counted(names.length, 'network')
}

function stateOf(posts: readonly GuestPost[]): ReviewGroup['state'] {
  const open = posts.filter(({ status }) => status !== 'published')
  if (open.length === 0) return 'published'
  if (open.some(({ changed }) => changed)) return 'changed'
  if (open.some(({ decision }) => decision === null)) return 'waiting'
  return open.every(({ decision }) => decision?.decision === 'approve') ? 'approved' : 'changes_requested'
}
