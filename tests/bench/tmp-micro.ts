import { ListedPost, Post, PostList } from '../../src/social/contract.ts'
import { listOf } from '#lib/paginate.ts'
const now = new Date()
const row = () => ({
  id: crypto.randomUUID(),
  brandId: crypto.randomUUID(),
  provider: 'sandbox',
  authorId: crypto.randomUUID(),
  text: 'The new roast is in: notes of cherry and cocoa, and a long sweet end. Come by before noon. 1',
  status: 'published',
  scheduledAt: now,
  timeZone: null,
  groupId: null,
  threadId: null,
  position: 0,
  media: [],
  firstComment: null,
  linkPreview: null,
  tags: ['coffee', 'launch'],
  campaign: null,
  target: {},
  platformPostId: crypto.randomUUID(),
  permalink: 'http://127.0.0.1:3000/dev/sandbox/acme/posts/1',
  publishedAt: now,
  withdrawnAt: null,
  failureCode: null,
  failureMessage: null,
  failedAt: null,
  failureRetryable: null,
  reviewState: 'none',
  waitingFor: null,
  version: 1,
  createdAt: now,
  updatedAt: now,
  rateLimitedSince: null,
})
const extra = { brandName: 'Brand 2', accountName: 'acme', threadSize: null, isDue: false }
const can = () => ({
  update: false,
  delete: false,
  publishNow: false,
  retry: false,
  duplicate: true,
  detach: false,
  withdraw: true,
})
const rows = Array.from({ length: 20 }, row)
const rowsNew = rows.map((r) => ({ ...r, ...extra }))
const OldList = listOf(Post)
const time = (name: string, f: () => unknown) => {
  for (let i = 0; i < 3000; i++) f()
  const t = process.cpuUsage()
  for (let i = 0; i < 5000; i++) f()
  const d = process.cpuUsage(t)
  console.log(name, ((d.user + d.system) / 5000).toFixed(1), 'µs')
}
time('spread', () => rowsNew.map((post) => ({ ...post, authorName: null, can: can() })))
time('assign', () => rowsNew.map((post) => Object.assign(post, { authorName: null, can: can() })))
const full = rowsNew.map((post) => ({ ...post, authorName: null, can: can() }))
time('zod old', () => OldList.safeParse({ items: rows, nextCursor: null }))
time('zod new', () => PostList.safeParse({ items: full, nextCursor: null, can: { create: true } }))
const o = OldList.parse({ items: rows, nextCursor: null } as never),
  n = PostList.parse({ items: full, nextCursor: null, can: { create: true } } as never)
time('json old', () => JSON.stringify(o))
time('json new', () => JSON.stringify(n))
const so = Buffer.from(JSON.stringify(o)),
  sn = Buffer.from(JSON.stringify(n))
time('gzip old', () => Bun.gzipSync(so, { level: 1, library: 'libdeflate' }))
time('gzip new', () => Bun.gzipSync(sn, { level: 1, library: 'libdeflate' }))
void ListedPost
const noCan = listOf(ListedPost.omit({ can: true }))
time('zod no can', () => noCan.safeParse({ items: full, nextCursor: null }))
import { z } from 'zod'
const arr = listOf(
  ListedPost.omit({ can: true }).extend({
    can: z.array(z.enum(['update', 'delete', 'publishNow', 'retry', 'duplicate', 'detach', 'withdraw'])),
  }),
)
const withArr = full.map((p) => ({ ...p, can: ['duplicate', 'withdraw'] }))
time('zod can array', () => arr.safeParse({ items: withArr, nextCursor: null }))
const plain = listOf(Post.extend({ can: ListedPost.shape.can }))
time('zod old + can', () => plain.safeParse({ items: full, nextCursor: null }))
const z2 = listOf(Post.extend({ timeZone: z.string().nullable() }))
time('zod old without refine', () => z2.safeParse({ items: rows, nextCursor: null }))
console.log('--')
for (let k = 0; k < 3; k++) {
  time('zod old', () => OldList.safeParse({ items: rows, nextCursor: null }))
  time('zod new', () => PostList.safeParse({ items: full, nextCursor: null, can: { create: true } }))
  time('zod no can', () => noCan.safeParse({ items: full, nextCursor: null }))
  time('zod old+can', () => plain.safeParse({ items: full, nextCursor: null }))
}
