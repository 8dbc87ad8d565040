/** Who decides or comments: a person of the organization, or a guest with a link. */
export type Reviewer =
  | { readonly kind: 'user'; readonly id: string }
  | { readonly kind: 'guest'; readonly linkId: string; readonly name: string }

export interface ReviewerColumns {
  userId: string | null
  linkId: string | null
  guestName: string | null
}

export const columnsOf = (reviewer: Reviewer): ReviewerColumns =>
  reviewer.kind === 'user'
    ? { userId: reviewer.id, linkId: null, guestName: null }
    : { userId: null, linkId: reviewer.linkId, guestName: reviewer.name }

export function reviewerOf({ userId, linkId, guestName }: ReviewerColumns): Reviewer {
  if (userId !== null) return { kind: 'user', id: userId }
  if (linkId === null || guestName === null) throw new Error('A review without a reviewer')
  return { kind: 'guest', linkId, name: guestName }
}
