import type { posts, ReviewedContent } from '../schema.ts'

type PostRow = typeof posts.$inferSelect
export type Content = Pick<
  PostRow,
  'text' | 'media' | 'firstComment' | 'linkPreview' | 'target' | 'youtube' | 'provider'
>

export const contentOf = (post: Content): ReviewedContent => ({
  provider: post.provider,
  text: post.text,
  media: post.media,
  firstComment: post.firstComment,
  linkPreview: post.linkPreview,
  target: post.target,
  youtube: post.youtube,
})

/** Equal for equal contents, whatever the order of their fields. */
export const fingerprintOf = (content: ReviewedContent): string =>
  new Bun.CryptoHasher('sha256').update(JSON.stringify(sortFields(content))).digest('hex')

export const fingerprintOfPost = (post: Content): string => fingerprintOf(contentOf(post))

function sortFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortFields)
  if (value === null || typeof value !== 'object') return value
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  return Object.fromEntries(
    fields.toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([name, field]) => [name, sortFields(field)]),
  )
}
