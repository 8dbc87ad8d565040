import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { paging } from '#lib/paginate.ts'
import { optionalField, plainText } from '#lib/text.ts'
import { Instant } from '#lib/time.ts'
import { PostStatus, Provider } from '../contract.ts'
import { Tag } from '../media/input.ts'

const narrowing = {
  provider: optionalField(Provider),
  accountId: optionalField(Id).describe('Posts that were or would be published to this account.'),
  tag: optionalField(Tag),
  authorId: optionalField(Id),
  /** First instant of the range. */
  from: optionalField(Instant),
  /** First instant after the range. */
  to: optionalField(Instant),
}

export const PostFilter = z.object({
  ...paging,
  threadId: optionalField(Id).describe('Lists the posts of this thread by position.'),
  groupId: optionalField(Id).describe('Lists the posts of one submission in the order of its targets.'),
  status: optionalField(PostStatus),
  brandId: optionalField(Id),
  ...narrowing,
  q: optionalField(plainText(200)).describe(
    'Text that the post contains. Each request with this, `provider`, `accountId`, `tag` or `authorId` searches 2,000 posts, so follow `nextCursor` even after an empty page.',
  ),
  order: optionalField(z.enum(['newest', 'soonest'])).describe(
    'Sorts by the scheduled time, or else by the creation time. Default: `newest`. Ignored with `threadId` or `groupId`.',
  ),
})
export type PostFilter = z.output<typeof PostFilter>

/** Which posts of a brand are counted. */
export const PostCountFilter = z.object({
  brandId: Id,
  ...narrowing,
  q: optionalField(plainText(200)).describe('Text that the post contains.'),
})
export type PostCountFilter = z.output<typeof PostCountFilter>

/** The filter of a list, of which one can choose another. */
export const PostOptionsFilter = PostCountFilter.extend({ status: optionalField(PostStatus) })
