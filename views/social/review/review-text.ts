import type { Brand, ListedPost, ReviewChange, ReviewPerson, ReviewStatus } from '#social/types'
import { counted } from '#lib/text.ts'
import { timeText } from '#views/ui/time.tsx'
import type { Place } from '../posts/post-text.ts'

type Tone = 'success' | 'warning' | 'info' | undefined

/** Such as `1 of 2 approvals`. */
export function describeReviewStatus({ state, approvals, needed, voidedAt }: ReviewStatus): {
  label: string
  tone: Tone
} {
  const count = needed > 0 ? `${approvals} of ${counted(needed, 'approval')}` : counted(approvals, 'approval')
  if (state === 'changes_requested') return { label: 'Changes requested', tone: 'warning' }
  if (voidedAt) return { label: 'Approval voided by an edit', tone: 'warning' }
  if (state === 'approved') return { label: 'Approved', tone: 'success' }
  if (state === 'pending') return { label: count, tone: 'info' }
  return { label: needed > 0 ? count : 'Not in review', tone: undefined }
}

export const nameOf = ({ kind, name }: ReviewPerson): string =>
  kind === 'guest' ? `${name ?? 'A guest'} (guest)` : (name ?? 'Deleted account')

export const fieldNames: Record<ReviewChange['field'], string> = {
  text: 'Text',
  media: 'Media',
  firstComment: 'First comment',
  linkPreview: 'Link preview',
  target: 'Account',
  youtube: 'Video settings',
}

/** When it is published, as far as that is known. */
export function plannedTime({ status, scheduledAt }: ListedPost, { now, zone }: Place): string {
  if (!scheduledAt) return 'no time yet'
  const time = timeText(scheduledAt, zone, 'full')
  if (status !== 'draft') return `for ${time}`
  return new Date(scheduledAt) > now ? `planned for ${time}` : `planned for ${time}, which has passed`
}

export function describePolicy({ approvals, allowAuthor, countGuests }: Brand['reviewPolicy']): string {
  if (approvals === 0) return 'Posts can be published without an approval.'
  const who = [`a reviewer`, ...(countGuests ? ['a guest with a link'] : [])].join(' or ')
  const author = allowAuthor ? 'The author’s own approval counts.' : 'Authors don’t approve their own posts.'
  return `${counted(approvals, 'approval')} by ${who}, before a post can be scheduled. An edit voids it. ${author}`
}
